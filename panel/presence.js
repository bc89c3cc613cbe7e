// Whether an element is on the page, and when the person is back at it; being moved within the page is neither leaving nor coming.

/**
 * @param {HTMLElement} element
 * @param {object} told
 * @param {() => void} told.stands   it was put on the page, or to another place of it
 * @param {() => void} told.left   it was taken off the page, and not only to be put elsewhere on it
 * @param {() => void} told.seen   its page is seen again after it was hidden, as a tab behind another is
 */
export function presence(element, { stands, left, seen }) {
  let wasHidden = false;

  function look() {
    if (wasHidden && !document.hidden) seen();
    wasHidden = document.hidden;
  }

  return {
    connected() {
      wasHidden = document.hidden;
      document.addEventListener("visibilitychange", look);
      stands();
    },
    disconnected() {
      setTimeout(() => {
        if (element.isConnected) return;
        document.removeEventListener("visibilitychange", look);
        left();
      });
    },
  };
}
