// Follows links and forms without leaving the document: the panel stays, only <main> is another.

import { say, word } from "./dialogs.js";

/** @typedef {"moved" | "stayed" | "unknown"} Outcome */
/** @typedef {(again: boolean) => boolean | Promise<boolean>} Guard asked before the page is left; false keeps it; `again`: for this leaving it was asked already */
/** @typedef {(main: HTMLElement) => void} Entered */
/** @typedef {{url: string, status: number, main: HTMLElement | null, title: string, problem: string | undefined, isForeign: boolean}} Arrival `problem`: why not, in words; `isForeign`: of another session */

const policy = window.trustedTypes?.createPolicy("lms-pages", { createHTML: (/** @type {string} */ html) => html });

/** @type {Set<Guard>} */
const guards = new Set();
/** @type {Set<Entered>} */
const listeners = new Set();

/** @type {Set<() => void>} */
const strangers = new Set();

/** Which entry of the browser's history it is at. */
let place = 0;
/** The path of the page that is on screen, and its entry: while another page is fetched the browser may be at that one's. */
let shown = "";
let shownPlace = 0;
/** Counts navigations: an answer that arrives after a later one began is dropped. */
let asked = 0;

/** Why a form was not sent: the person kept the page as it is. */
export class Stayed extends Error {}

/** @returns {HTMLElement} */
export function currentMain() {
  return /** @type {HTMLElement} */ (document.querySelector("main"));
}

/**
 * Asks `guard` before the page is left, until the page is left or the returned function is called.
 * @param {Guard} guard
 * @returns {() => void}
 */
export function guard(guard) {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/**
 * Called with each <main> that comes on screen, the first one too.
 * @param {Entered} listener
 */
export function onEnter(listener) {
  listeners.add(listener);
}

/**
 * Called when a page shows that the session is another than this document's, before that page is loaded in full.
 * @param {() => void} listener
 */
export function onOtherSession(listener) {
  strangers.add(listener);
}

/**
 * @param {{again?: boolean}} [how]
 * @returns {Promise<boolean>}
 */
async function mayLeave({ again = false } = {}) {
  for (const each of [...guards]) {
    if (!(await each(again))) return false;
  }
  return true;
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<Arrival>}
 */
async function fetchPage(url, init = {}) {
  const answer = await fetch(url, { credentials: "same-origin", ...init });
  const isPage = (answer.headers.get("content-type") ?? "").startsWith("text/html");
  const html = isPage ? await answer.text() : "";
  const trusted = /** @type {string} */ (policy ? policy.createHTML(html) : html);
  const parsed = new DOMParser().parseFromString(trusted, "text/html");
  const found = /** @type {HTMLElement | null} */ (parsed.querySelector("main#main"));
  const main = fits(parsed.body) ? found : null;
  // What a proxy says while the LMS is down tells nothing of the session.
  const isForeign = isPage && answer.status < 500 && parsed.body.dataset["session"] !== document.body.dataset["session"];
  return { url: answer.url, status: answer.status, main, title: parsed.title, problem: found?.dataset["problem"], isForeign };
}

/**
 * Whether a page differs from this one by its <main> alone: head and panel are the same person's, in the same session.
 * @param {HTMLElement} body
 */
function fits(body) {
  return ["layout", "session", "panel"].every((name) => body.dataset[name] === document.body.dataset[name]);
}

/** @param {Arrival} arrival */
function load(arrival) {
  if (arrival.isForeign) for (const listener of strangers) listener();
  location.assign(arrival.url);
}

/** @param {string} address */
function pathOf(address) {
  const url = new URL(address, location.href);
  return url.pathname + url.search;
}

/**
 * @param {Arrival} arrival
 * @param {"push" | "replace" | "none"} entry what becomes of the browser's history
 */
function show(arrival, entry) {
  if (!arrival.main) return load(arrival);
  guards.clear();
  const path = pathOf(arrival.url);
  const isSame = path === shown;
  shown = path;
  if (entry === "push" && !isSame) history.pushState({ place: ++place }, "", path);
  else if (entry !== "none") history.replaceState({ place }, "", path);
  shownPlace = place;
  const main = document.adoptNode(arrival.main);
  currentMain().replaceWith(main);
  document.title = arrival.title;
  enter(main);
  if (isSame) return;
  if (entry !== "none") window.scrollTo(0, 0);
  // Who writes to the assistant keeps writing.
  if (document.activeElement?.localName !== "assist-panel") main.focus({ preventScroll: true });
}

/** The page on screen stays: the browser may have gone to another entry, by Back, before that was known. */
function keep() {
  if (place !== shownPlace) history.go(shownPlace - place);
}

/** @param {HTMLElement} main */
function enter(main) {
  const section = main.dataset["section"];
  for (const link of document.querySelectorAll(".sections a")) {
    if (link.getAttribute("href") === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const listener of listeners) listener(main);
}

/**
 * Goes to a page of this LMS as a click would, unless the person keeps the page they are on.
 * What cannot be fetched is as unknown as what there is not.
 * @param {string} path
 * @returns {Promise<Outcome>}
 */
export async function navigate(path) {
  const url = new URL(path, location.href);
  if (!path.startsWith("/") || url.origin !== location.origin) return "unknown";
  const mine = ++asked;
  const arrival = await fetchPage(url.href).catch(() => null);
  const isScreen = arrival?.status === 200 && arrival.main?.dataset["screen"] !== undefined;
  const isKnown = arrival !== null && (isScreen || arrival.isForeign);
  if (isKnown && mine === asked && (await mayLeave()) && mine === asked) {
    show(arrival, "push");
    return "moved";
  }
  if (mine === asked) keep();
  return isKnown ? "stayed" : "unknown";
}

/**
 * Sends a form as the browser would, and shows the page that answers unless it says what is wrong.
 * Throws Stayed where unsaved work keeps the person here.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 * @returns {Promise<Arrival>}
 */
export async function submit(form, submitter = null) {
  const data = new FormData(form, submitter);
  const fields = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
  if (form.method === "get") {
    const kept = [...fields].filter(([, value]) => value.trim() !== "");
    const query = new URLSearchParams(kept).toString();
    await follow(form.action.split("?")[0] + (query ? `?${query}` : ""));
    return { url: location.href, status: 200, main: currentMain(), title: document.title, problem: undefined, isForeign: false };
  }
  if (!(await mayLeave())) throw new Stayed();
  const arrival = await fetchPage(form.action, { method: "POST", body: fields });
  // It was typed meanwhile, maybe: then the page stays, though the form was sent.
  if (arrival.status < 400 && (await mayLeave({ again: true }))) show(arrival, "push");
  return arrival;
}

/** @param {string} href */
async function follow(href) {
  const mine = ++asked;
  const arrival = await fetchPage(href).catch(() => null);
  if (mine !== asked) return;
  const mayGo = await mayLeave();
  if (mine !== asked) return;
  // The browser says it best when nothing answers.
  if (!mayGo) keep();
  else if (arrival) show(arrival, "push");
  else location.assign(href);
}

/** @param {MouseEvent} event */
function onClick(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || !isPlain) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
  event.preventDefault();
  void follow(link.href);
}

/**
 * Back and Forward: the browser is at another entry already, so a page that is kept needs the way back to its own.
 * @param {PopStateEvent} event
 */
async function onPop(event) {
  const mine = ++asked;
  place = event.state?.place ?? 0;
  // Only the part after the # is another; or it has come back.
  if (pathOf(location.href) === shown) {
    shownPlace = place;
    return;
  }
  const arrival = await fetchPage(location.href).catch(() => null);
  if (mine !== asked) return;
  const mayGo = arrival !== null && (await mayLeave());
  if (mine !== asked) return;
  if (mayGo) return show(arrival, "none");
  if (arrival === null) say(word("failed"));
  keep();
}

/** Begins; the page that is there counts as entered. */
export function start() {
  place = shownPlace = history.state?.place ?? 0;
  shown = pathOf(location.href);
  history.replaceState({ place }, "");
  document.addEventListener("click", onClick);
  window.addEventListener("popstate", (event) => void onPop(event));
  enter(currentMain());
}
