// How the panel stands on the page: beside it and not in its way, or before it as a modal sheet where there is no room.

/** Under 640 px wide, or under 1024 px and at most 480 px tall. */
const SHEET = "(width < 640px), ((width < 1024px) and (height <= 480px))";

/**
 * @param {HTMLDialogElement} panel
 * @returns {{open: () => void, close: () => void, stop: () => void}} `stop`: listens to the window no longer
 */
export function standing(panel) {
  const small = matchMedia(SHEET);
  const stand = () => {
    panel.close();
    panel.classList.toggle("sheet", small.matches);
    if (small.matches) panel.showModal();
    else panel.show();
  };
  const change = () => {
    if (panel.open) stand();
  };
  small.addEventListener("change", change);
  return {
    open: stand,
    close: () => panel.close(),
    stop: () => small.removeEventListener("change", change),
  };
}
