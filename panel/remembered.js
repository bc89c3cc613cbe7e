// Which conversation this tab goes on with after a page load: its id alone, which opens nothing for anybody else.

const KEY = "assist-panel.conversation";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns {string | null} */
export function remembered() {
  const kept = attempted(() => sessionStorage.getItem(KEY));
  return kept !== null && ID.test(kept) ? kept : null;
}

/** @param {string | null} id   null: none */
export function remember(id) {
  attempted(() => (id === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, id)));
}

/**
 * A page may be without storage: then a page load begins anew.
 * @template Found
 * @param {() => Found} use
 * @returns {Found | null}
 */
function attempted(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
