// The rule of opening a screen: one of the person's role, exactly its ids, only its params, a path that leads back to it.

import { visibleLine } from "./text.js";

/**
 * @typedef {import("../types.js").Screen} Screen
 * @typedef {import("../types.js").OpenScreen} OpenScreen
 * @typedef {Screen["params"]} ScreenParams
 * @typedef {Pick<OpenScreen, "screen" | "ids" | "params">} Place
 * @typedef {"unknown_screen" | "wrong_ids" | "malformed_id" | "unknown_param" | "unknown_tab" | "malformed_search"
 *   | "malformed_param_id" | "another_screen"} Reason
 */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param {string} text */
const isId = (text) => UUID.test(text);

/**
 * Every parameter there is, in the order of the address: what it may be where a screen declares it.
 *
 * @type {readonly (readonly [keyof ScreenParams, (params: ScreenParams, value: string) => boolean, Reason])[]}
 */
const PARAMS = [
  ["tab", (params, value) => params.tab.includes(value), "unknown_tab"],
  ["search", (_, value) => visibleLine(value), "malformed_search"],
  ["category", (_, value) => isId(value), "malformed_param_id"],
  ["item", (_, value) => isId(value), "malformed_param_id"],
];

/**
 * @param {ScreenParams} params
 * @param {keyof ScreenParams} name
 */
const declares = (params, name) => (name === "tab" ? params.tab.length > 0 : params[name]);

/**
 * @param {Record<string, string>} given
 * @param {readonly string[]} names
 */
const hasExactly = (given, names) =>
  Object.keys(given).length === names.length && names.every((name) => Object.hasOwn(given, name));

/**
 * Why these params are not those of a screen; null where they are.
 *
 * @param {ScreenParams} declared
 * @param {Record<string, string>} params
 * @returns {Reason | null}
 */
function refusedParams(declared, params) {
  const own = PARAMS.filter(([name]) => declares(declared, name));
  if (!Object.keys(params).every((name) => own.some(([each]) => each === name))) {
    return "unknown_param";
  }
  const wrong = own.find(([name, fits]) => Object.hasOwn(params, name) && !fits(declared, params[name] ?? ""));
  return wrong ? wrong[2] : null;
}

/**
 * Percent-encoding of all but letters, digits and `-._~`.
 *
 * @param {string} text
 */
const encoded = (text) =>
  encodeURIComponent(text).replace(/[!*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * @param {Screen} screen
 * @param {Record<string, string>} ids
 * @param {Record<string, string>} params
 */
function pathOf(screen, ids, params) {
  const address = screen.pattern.replace(/:([a-zA-Z0-9]+)/g, (_, name) => ids[name] ?? "");
  const there = PARAMS.filter(([name]) => Object.hasOwn(params, name));
  const query = there.map(([name]) => `${name}=${encoded(params[name] ?? "")}`);
  return query.length ? `${address}?${query.join("&")}` : address;
}

/**
 * The ids of an address of this pattern; null for any other address.
 *
 * @param {string} address
 * @param {string} pattern
 */
function idsIn(address, pattern) {
  const segments = address.split("/");
  const wanted = pattern.split("/");
  const fits = segments.length === wanted.length
    && segments.every((each, at) => (wanted[at]?.startsWith(":") ? isId(each) : each === wanted[at]));
  const pairs = wanted.map((want, at) => [want, segments[at] ?? ""]).filter(([want]) => want?.startsWith(":"));
  return fits ? named(pairs.map(([want = "", id = ""]) => [want.slice(1), id])) : null;
}

/**
 * An object of these own keys, whatever they are called.
 *
 * @param {string[][]} pairs
 * @returns {Record<string, string>}
 */
const named = (pairs) => Object.fromEntries(pairs);

/**
 * @param {string} query
 * @returns {Record<string, string> | null}
 */
function paramsIn(query) {
  try {
    return named(query.split("&").filter(Boolean).map((field) => {
      const [name = "", ...value] = field.split("=");
      return [decodeURIComponent(name), decodeURIComponent(value.join("="))];
    }));
  } catch {
    // A per cent sign that begins no byte of UTF-8.
    return null;
  }
}

/**
 * The place a path leads to: the first screen whose pattern it has; null unless it is written as this rule would.
 *
 * So no path has two readings: another order, another encoding or a parameter twice is no path of a screen.
 *
 * @param {readonly Screen[]} screens
 * @param {string} path
 * @returns {Place | null}
 */
export function parsePath(screens, path) {
  const [address = "", ...query] = path.split("?");
  const params = paramsIn(query.join("?"));
  for (const screen of screens) {
    const ids = idsIn(address, screen.pattern);
    if (ids) {
      const fits = params && !refusedParams(screen.params, params) && pathOf(screen, ids, params) === path;
      return fits ? { screen: screen.screen, ids, params } : null;
    }
  }
  return null;
}

/**
 * The action that opens a screen of these, or why there is none. `screens` are those of the availability, in their order.
 *
 * @param {readonly Screen[]} screens
 * @param {Place} place
 * @param {string} language of the title; English where the screen has none in it
 * @returns {{action: OpenScreen} | {refused: Reason}}
 */
export function checkOpenScreen(screens, { screen, ids, params }, language) {
  const found = screens.find((each) => each.screen === screen);
  if (!found) {
    return { refused: "unknown_screen" };
  }
  if (!hasExactly(ids, Object.keys(found.ids))) {
    return { refused: "wrong_ids" };
  }
  if (!Object.values(ids).every(isId)) {
    return { refused: "malformed_id" };
  }
  const refused = refusedParams(found.params, params);
  if (refused) {
    return { refused };
  }
  const path = pathOf(found, ids, params);
  // Ids and params need no comparison: a path that parses is written in one way only.
  if (parsePath(screens, path)?.screen !== screen) {
    return { refused: "another_screen" };
  }
  const title = found.titles[language] ?? found.titles["en"] ?? "";
  return { action: { type: "open_screen", screen, ids: { ...ids }, params: { ...params }, path, title } };
}
