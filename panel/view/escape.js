// Escape is the panel's own within the panel, unless it ends a composed character.

/**
 * @param {() => void} act
 * @returns {(event: KeyboardEvent) => void}
 */
export function onEscape(act) {
  return (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}
