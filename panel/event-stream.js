// Reads text/event-stream: whole events only, so a stream cut in the middle of one never passes for an answer.

/** @typedef {{event: string, data: string}} ServerEvent */

const LONGEST_EVENT = 4_000_000;

/** The service says something each 15 s, a comment if nothing else: a line that is silent for so long is dead. */
const SILENT_MILLISECONDS = 60_000;

/**
 * The events of a body, each once its empty line has come; comments are left out.
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} [silentMilliseconds]
 * @returns {AsyncGenerator<ServerEvent, void, void>}
 * @throws {RangeError} where one event is longer than any this service sends, or nothing comes for so long
 */
export async function* events(body, silentMilliseconds = SILENT_MILLISECONDS) {
  let text = "";
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream("utf-8", { fatal: true }))).getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silentMilliseconds);
      if (done) return;
      text += value;
      for (let end = endOf(text); end !== null; end = endOf(text)) {
        const event = parse(text.slice(0, end.at));
        text = text.slice(end.at + end.length);
        if (event !== null) yield event;
      }
      if (text.length > LONGEST_EVENT) throw new RangeError("an event without an end");
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * @template Found
 * @param {Promise<Found>} waited
 * @param {number} milliseconds
 * @returns {Promise<Found>}
 */
async function within(waited, milliseconds) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new RangeError("a silent line")), milliseconds);
  });
  try {
    return /** @type {Found} */ (await Promise.race([waited, over]));
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} text */
function endOf(text) {
  const found = /\r\n\r\n|\n\n/.exec(text);
  return found && { at: found.index, length: found[0].length };
}

/**
 * @param {string} block
 * @returns {ServerEvent | null} null for a comment
 */
function parse(block) {
  let event = "message";
  /** @type {string[]} */
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") event = value ?? "";
    if (field === "data") data.push(value ?? "");
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}
