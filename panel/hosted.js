// Every call of the page's host: whatever it throws, returns or leaves open becomes an outcome, and what it lends a copy.

/**
 * @typedef {import("./types.js").Host} Host
 * @typedef {import("./types.js").ScreenContext} ScreenContext
 * @typedef {import("./types.js").Draft} Draft
 * @typedef {ReturnType<typeof hosted>} Hosted
 */

/** How long a page may take, in milliseconds. Its leave guard and a danger confirmation ask a person, and may take as long as those do. */
export const PATIENCE = /** @type {const} */ ({ token: 15_000, flush: 10_000, apply: 10_000, command: 30_000 });

/** @param {() => Host} host   the one of now */
export function hosted(host) {
  return {
    /** @returns {Promise<string>} rejected where the page has none in time */
    async token() {
      const token = await inTime(async () => host().token(), PATIENCE.token);
      if (typeof token !== "string") throw new TypeError("the page's token is no text");
      return token;
    },

    /** @returns {ScreenContext | null} as it would be sent; null where the page cannot say what is on screen */
    screen() {
      const told = copyOf(() => host().screen());
      return isScreen(told) ? told : null;
    },

    /** Whether the page's own router takes paths; where it has none a link is a link. */
    hasRouter: () => attempt(() => typeof host().navigate === "function", false),

    /**
     * @param {string} path
     * @returns {Promise<"moved" | "stayed" | "unknown">}
     */
    async navigate(path) {
      try {
        const came = await host().navigate?.(path);
        return came === "moved" || came === "stayed" ? came : "unknown";
      } catch {
        return "unknown";
      }
    },

    /**
     * Called before this returns, so that it is within the person's click.
     * @param {import("./types.js").Command} command   as it is registered now
     * @returns {Promise<"done" | "declined" | "failed" | "silent">} `declined`: the person would not, when the page itself
     *   asked; `silent`: the page has not said in time what came of it
     */
    async runCommand({ id, danger }) {
      const run = async () => host().runCommand(id);
      return outcome(run, danger ? Infinity : PATIENCE.command, (came) => (came === "declined" ? came : /** @type {const} */ ("done")));
    },

    /** Whether the page can have the person sign in again. */
    hasSignIn: () => attempt(() => typeof host().signIn === "function", false),

    signIn: () => attempt(() => void host().signIn?.(), undefined),

    /** @returns {Promise<"none" | "saved" | "failed">} `none`: no editor is open */
    async flush() {
      const editor = editorOf(host);
      if (editor === null) return "none";
      if (editor === undefined) return "failed";
      const came = await outcome(async () => editor.flush(), PATIENCE.flush, () => /** @type {const} */ ("saved"));
      return came === "silent" ? "failed" : came;
    },

    /** @returns {Draft | null | undefined} null where there is none, undefined where the page cannot say */
    draft() {
      const told = copyOf(() => host().editor?.()?.draft() ?? null);
      return told === null || isDraft(told) ? told : undefined;
    },

    /**
     * @param {{base: string, config: object, explanation: string}} edit
     * @returns {Promise<"applied" | "changed" | "failed" | "silent">}
     */
    async apply(edit) {
      const apply = async () => host().editor?.()?.apply(edit) ?? "changed";
      return outcome(apply, PATIENCE.apply, (came) => (came === "applied" || came === "changed" ? came : "failed"));
    },
  };
}

/**
 * @template Said, Meant
 * @param {() => Promise<Said>} act
 * @param {number} milliseconds
 * @param {(said: Said) => Meant} meant
 * @returns {Promise<Meant | "failed" | "silent">}
 */
async function outcome(act, milliseconds, meant) {
  try {
    return meant(await inTime(act, milliseconds));
  } catch (error) {
    return error instanceof Late ? "silent" : "failed";
  }
}

class Late extends Error {}

/**
 * @template Said
 * @param {() => Promise<Said>} act
 * @param {number} milliseconds
 * @returns {Promise<Said>}
 */
async function inTime(act, milliseconds) {
  const acting = act();
  if (milliseconds === Infinity) return acting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds);
  });
  try {
    return await Promise.race([acting, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @template Said
 * @param {() => Said} ask
 * @param {Said} otherwise
 */
function attempt(ask, otherwise) {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/**
 * The open editor; undefined where the page cannot say.
 * @param {() => Host} host
 */
function editorOf(host) {
  return attempt(() => host().editor?.() ?? null, undefined);
}

/**
 * As it goes over the wire: the page may change what it lent.
 * @param {() => unknown} ask
 * @returns {unknown}
 */
function copyOf(ask) {
  return attempt(() => JSON.parse(JSON.stringify(ask())), undefined);
}

/**
 * @param {unknown} told
 * @returns {told is Record<string, unknown>}
 */
function isRecord(told) {
  return typeof told === "object" && told !== null && !Array.isArray(told);
}

/**
 * No more than the panel itself reads: the rest the service checks, and says so.
 * @param {unknown} told
 * @returns {told is ScreenContext}
 */
function isScreen(told) {
  if (!isRecord(told) || typeof told["route"] !== "string" || typeof told["language"] !== "string") return false;
  const { entities, commands } = told;
  const isCommand = (/** @type {unknown} */ each) =>
    isRecord(each) && typeof each["id"] === "string" && typeof each["label"] === "string";
  return isRecord(entities) && Array.isArray(commands) && commands.every(isCommand);
}

/**
 * @param {unknown} told
 * @returns {told is Draft}
 */
function isDraft(told) {
  return isRecord(told) && typeof told["base"] === "string";
}
