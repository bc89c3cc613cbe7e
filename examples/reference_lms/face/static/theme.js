// Light or dark as the person chose, set before anything is drawn; else as the system has it.
(() => {
  const KEY = "lms-theme";
  const root = document.documentElement;

  /** @returns {string | null} */
  function chosen() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  /** @param {string | null} theme */
  function show(theme) {
    if (theme !== "light" && theme !== "dark") return;
    root.dataset["theme"] = theme;
    document.querySelector("assist-panel")?.setAttribute("theme", theme);
  }

  function turn() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset["theme"] ?? (dark ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Where nothing may be kept it lasts until the page is left.
    }
    show(next);
  }

  show(chosen());
  document.addEventListener("DOMContentLoaded", () => show(chosen()));
  document.addEventListener("click", (event) => {
    const target = event.target;
    if (target instanceof Element && target.closest("[data-switch='theme']")) turn();
  });
})();
