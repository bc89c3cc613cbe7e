// The two buttons of pages in a window or on a wall of their own: print, and fill the screen.

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest("[data-print]")) window.print();
  if (event.target.closest("[data-full-screen]")) void document.documentElement.requestFullscreen();
});
