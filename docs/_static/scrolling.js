// Keys reach what has to be scrolled sideways: frames of code and tables that are wider than the screen.
function reach() {
  for (const frame of document.querySelectorAll("pre, .table-wrapper, .notebook-output")) {
    if (frame.scrollWidth > frame.clientWidth) frame.setAttribute("tabindex", "0");
    else frame.removeAttribute("tabindex");
  }
}
for (const when of ["DOMContentLoaded", "load", "resize"]) addEventListener(when, reach);
