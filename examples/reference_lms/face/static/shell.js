// Starts what every page has: the router, the page's commands, its sheets, the palette and the panel's host.

import * as commands from "./commands.js";
import { bindPage } from "./bindings.js";
import { enter as enterQuestion } from "./editor.js";
import { joinPanel, offerEditor } from "./host.js";
import { startPalette } from "./palette.js";
import { onEnter, start } from "./router.js";

/** @type {Record<string, (main: HTMLElement) => () => void>} what a screen does beyond its HTML */
const SCREENS = { question: enterQuestion };

let leave = () => {};

onEnter((main) => {
  leave();
  commands.clear();
  offerEditor(null);
  bindPage(main);
  const screen = main.dataset["screen"] ?? "";
  leave = Object.hasOwn(SCREENS, screen) ? (SCREENS[screen]?.(main) ?? (() => {})) : () => {};
  for (const back of document.querySelectorAll(".languages input[name='back']")) {
    if (back instanceof HTMLInputElement) back.value = location.pathname + location.search;
  }
});
startPalette();
joinPanel();
start();
