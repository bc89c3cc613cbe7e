// What Kolibri lends the panel: a session for whoever is signed in, and the class that the address names.

const ID = /^[0-9a-f]{32}$/;
const panel = /** @type {any} */ (document.querySelector("assist-panel"));

/** @param {string} name */
function cookie(name) {
  const pair = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return pair === undefined ? "" : pair.slice(name.length + 1);
}

/** @param {string} id */
function dashed(id) {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join("-");
}

function entities() {
  const id = new URLSearchParams(location.search).get("class") ?? "";
  return ID.test(id) ? { classroom: dashed(id) } : {};
}

await customElements.whenDefined("assist-panel");
panel.host = {
  async token() {
    const headers = { "X-CSRFToken": cookie("kolibri_csrftoken") };
    const answer = await fetch("/api/assist/session", { method: "POST", headers });
    if (!answer.ok) throw new Error("Kolibri gave no session");
    return (await answer.json()).token;
  },
  screen: () => ({ route: "/", topic: null, language: document.documentElement.lang, entities: entities(), commands: [] }),
  // No `navigate`: Kolibri's own screens are not in the service's catalogue, and a link is followed by the browser.
  runCommand: async () => {
    throw new Error("this page lends no commands");
  },
};
panel.open();

export {};
