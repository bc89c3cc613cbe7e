// How the panel stands on the page: beside it and not in its way, or before it as a modal sheet where there is no room.

import { placeOf } from "./transcript.js";

/** Under 640 px wide, or under 1024 px and at most 480 px tall. */
const SHEET = "(width < 640px), ((width < 1024px) and (height <= 480px))";

/**
 * @param {HTMLDialogElement} panel
 * @param {HTMLElement[]} scrollers   in it: where the reader is in them is kept
 * @returns {{open: () => void, close: () => void, start: () => void, stop: () => void}}
 *   `start` and `stop`: whether it listens to the window
 */
export function standing(panel, scrollers) {
  const small = matchMedia(SHEET);
  const sheet = sheetOf(panel);
  /** @type {(() => void)[]} */
  let places = [];
  const keepPlaces = () => (places = scrollers.map(placeOf));

  function stand() {
    panel.classList.toggle("sheet", small.matches);
    if (small.matches) {
      sheet.on();
      panel.showModal();
    } else panel.show();
    for (const goBack of places) goBack();
  }

  function leave() {
    if (!panel.open) return;
    keepPlaces();
    panel.close();
    sheet.off();
  }

  /** The window has become another: what was written, read and focused stays. */
  function change() {
    if (!panel.open) return;
    keepFocus(panel, small.matches, () => {
      leave();
      stand();
    });
  }

  panel.addEventListener("cancel", keepPlaces);
  panel.addEventListener("close", () => panel.open || sheet.off());
  return {
    open: () => {
      if (!panel.open) stand();
    },
    close: leave,
    start: () => {
      small.addEventListener("change", change);
      // A sheet that was moved within the page is not modal any more.
      change();
    },
    stop: () => {
      small.removeEventListener("change", change);
      leave();
    },
  };
}

/**
 * @param {HTMLElement} panel
 * @param {boolean} isSheet   then the page behind keeps no focus
 * @param {() => void} act
 */
function keepFocus(panel, isSheet, act) {
  const inside = panel.querySelector(":focus");
  const outside = isSheet ? null : document.activeElement;
  act();
  /** @type {HTMLElement | null} */ (inside ?? outside)?.focus({ preventScroll: true });
}

/**
 * What is so while the panel is a sheet: the page is held, and the panel is within what can be seen.
 * @param {HTMLElement} panel
 */
function sheetOf(panel) {
  const lock = pageLock();
  const seen = seenHeight(panel);
  return {
    on() {
      lock.on();
      seen.follow();
    },
    off() {
      lock.off();
      seen.leave();
    },
  };
}

/** Holds the page behind a sheet where it is: it neither scrolls nor moves sideways for a scrollbar that goes. */
function pageLock() {
  const still = new CSSStyleSheet();
  const others = () => document.adoptedStyleSheets.filter((each) => each !== still);
  return {
    on() {
      const hasBar = innerWidth > document.documentElement.clientWidth;
      still.replaceSync(`html { overflow: hidden !important; scrollbar-gutter: ${hasBar ? "stable" : "auto"}; }`);
      document.adoptedStyleSheets = [...others(), still];
    },
    off() {
      document.adoptedStyleSheets = others();
    },
  };
}

/**
 * Keeps a sheet within what a keyboard on the screen leaves to be seen. Where the page has the keyboard resize its
 * content (`interactive-widget`) nothing is left to do; else only the visual viewport knows of it.
 * @param {HTMLElement} panel
 */
function seenHeight(panel) {
  const measures = new CSSStyleSheet();
  const viewport = window.visualViewport;

  function measure() {
    // Somebody who has zoomed in with two fingers moves about in a sheet that stays as it is.
    if (viewport === null || viewport.scale > 1.01) return;
    measures.replaceSync(`.sheet { --seen-top: ${viewport.offsetTop}px; --seen-height: ${viewport.height}px; }`);
  }

  return {
    follow() {
      const root = /** @type {ShadowRoot} */ (panel.getRootNode());
      if (!root.adoptedStyleSheets.includes(measures)) root.adoptedStyleSheets.push(measures);
      measure();
      viewport?.addEventListener("resize", measure);
      viewport?.addEventListener("scroll", measure);
    },
    leave() {
      viewport?.removeEventListener("resize", measure);
      viewport?.removeEventListener("scroll", measure);
    },
  };
}
