// Reads text/event-stream: whole events only, so a stream cut in the middle of one never passes for an answer.

/** @typedef {{event: string, data: string}} ServerEvent */

const LONGEST_EVENT = 4_000_000;

/**
 * The events of a body, each once its empty line has come; comments are left out.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<ServerEvent, void, void>}
 * @throws {RangeError} where one event is longer than any this service sends
 */
export async function* events(body) {
  let text = "";
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream("utf-8", { fatal: true }))).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
