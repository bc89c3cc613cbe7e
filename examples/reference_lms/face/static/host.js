// What this page gives the panel: a token, what is on screen now, ways to move, commands, and the open editor.

import * as commands from "./commands.js";
import { Stayed, currentMain, navigate, onOtherSession } from "./router.js";

/**
 * @typedef {object} Editor
 * @property {() => Promise<void>} flush saves now; rejects when it cannot
 * @property {() => {question_id: string, type: string, base: string, config: Record<string, unknown>, explanation: string}} draft
 * @property {(edit: {base: string, config: Record<string, unknown>, explanation: string}) => Promise<"applied" | "changed">} apply
 */

/** @type {Editor | null} */
let editor = null;

/**
 * The question editor that is open, for as long as its page is on screen.
 * @param {Editor | null} opened
 */
export function offerEditor(opened) {
  editor = opened;
}

async function token() {
  const answer = await fetch("/assist-session", { method: "POST", credentials: "same-origin" });
  if (!answer.ok) throw new Error(`no session: ${answer.status}`);
  return String((await answer.json()).token);
}

function screen() {
  const { route, topic, entities } = currentMain().dataset;
  return {
    route: route ?? "/",
    topic: topic || null,
    language: document.documentElement.lang,
    entities: JSON.parse(entities ?? "{}"),
    commands: commands.list().map(({ id, label, effect, gesture, danger }) => ({
      id,
      label,
      effect,
      gesture: gesture ?? false,
      danger: danger ?? false,
    })),
  };
}

/** @param {string} id */
async function runCommand(id) {
  try {
    return await commands.run(id);
  } catch (error) {
    if (error instanceof Stayed) return "declined";
    throw error;
  }
}

export const host = {
  ...{ token, screen, navigate, runCommand },
  signIn: () => location.assign("/sign-in"),
  editor: () => editor,
};

/** Gives the panel its host once there is one; a view that fills the screen hides it. */
export function joinPanel() {
  const panel = document.querySelector("assist-panel");
  if (!(panel instanceof HTMLElement)) return;
  void customElements.whenDefined("assist-panel").then(() => Object.assign(panel, { host }));
  // Nothing more is asked as whoever this page was made for, even while the next page loads.
  onOtherSession(() => panel.dispatchEvent(new Event("sessionchange")));
  commands.onChange(() => panel.dispatchEvent(new Event("screenchange")));
  document.addEventListener("fullscreenchange", () => {
    panel.hidden = document.fullscreenElement !== null;
  });
}
