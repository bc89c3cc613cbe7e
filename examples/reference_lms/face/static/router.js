// Follows links and forms without leaving the document: the panel stays, only <main> is another.

/** @typedef {"moved" | "stayed" | "unknown"} Outcome */
/** @typedef {() => boolean | Promise<boolean>} Guard asked before the page is left; false keeps it */
/** @typedef {(main: HTMLElement) => void} Entered */
/** @typedef {{url: string, status: number, main: HTMLElement | null, title: string}} Arrival */

const policy = window.trustedTypes?.createPolicy("lms-pages", { createHTML: (/** @type {string} */ html) => html });

/** @type {Set<Guard>} */
const guards = new Set();
/** @type {Set<Entered>} */
const listeners = new Set();

let place = 0;
let isReturning = false;
/** The path of the page that is on screen. */
let shown = "";
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

/** @returns {Promise<boolean>} */
async function mayLeave() {
  for (const each of [...guards]) {
    if (!(await each())) return false;
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
  const fits = parsed.body.dataset["layout"] === document.body.dataset["layout"];
  const main = fits ? /** @type {HTMLElement | null} */ (parsed.querySelector("main#main")) : null;
  return { url: answer.url, status: answer.status, main, title: parsed.title };
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
  if (!arrival.main) return location.assign(arrival.url);
  guards.clear();
  const path = pathOf(arrival.url);
  const isSame = path === shown;
  shown = path;
  if (entry === "push" && !isSame) history.pushState({ place: ++place }, "", path);
  else if (entry !== "none") history.replaceState({ place }, "", path);
  const main = document.adoptNode(arrival.main);
  currentMain().replaceWith(main);
  document.title = arrival.title;
  enter(main);
  if (isSame) return;
  if (entry !== "none") window.scrollTo(0, 0);
  // Who writes to the assistant keeps writing.
  if (document.activeElement?.localName !== "assist-panel") main.focus({ preventScroll: true });
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
  if (!arrival || !isScreen) return "unknown";
  if (mine !== asked || !(await mayLeave())) return "stayed";
  show(arrival, "push");
  return "moved";
}

/** Shows the page as it is now: after a change. */
export async function reload() {
  show(await fetchPage(location.href), "replace");
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
    return { url: location.href, status: 200, main: currentMain(), title: document.title };
  }
  if (!(await mayLeave())) throw new Stayed();
  const arrival = await fetchPage(form.action, { method: "POST", body: fields });
  if (arrival.status < 400) show(arrival, "push");
  return arrival;
}

/** @param {string} href */
async function follow(href) {
  const mine = ++asked;
  const arrival = await fetchPage(href).catch(() => null);
  if (mine !== asked || !(await mayLeave())) return;
  // The browser says it best when nothing answers.
  if (arrival) show(arrival, "push");
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

/** @param {PopStateEvent} event */
async function onPop(event) {
  const target = event.state?.place ?? 0;
  if (isReturning) {
    isReturning = false;
    return;
  }
  // Only the part after the # is another.
  if (pathOf(location.href) === shown) return;
  if (!(await mayLeave())) {
    isReturning = true;
    history.go(place - target);
    return;
  }
  place = target;
  asked++;
  const arrival = await fetchPage(location.href);
  show(arrival, "none");
}

/** Begins; the page that is there counts as entered. */
export function start() {
  place = history.state?.place ?? 0;
  shown = pathOf(location.href);
  history.replaceState({ place }, "");
  document.addEventListener("click", onClick);
  window.addEventListener("popstate", (event) => void onPop(event));
  enter(currentMain());
}
