// What mouse, fingers and keys do.

import { button, make } from "./dom.ts";

const HELP: [string, string][] = [
  ["drag", "turn (in the plane: move)"],
  ["right or shift + drag, two fingers", "move"],
  ["wheel, pinch, + -", "zoom to where the mouse is"],
  ["click", "choose a grain: its values and contacts"],
  ["double click", "look at that grain"],
  ["arrows, shift + arrows", "turn, move"],
  ["q e", "roll"],
  ["1, 2 to 7", "whole scene, its sides"],
  ["p", "perspective or parallel"],
  ["space, . ,", "play, next frame, frame before"],
  ["c", "contacts"],
  ["b  w  g", "box, walls, grains"],
  ["x y z v", "cut across an axis or the view; again: no cut"],
  ["[ ]", "move the cut"],
  ["f", "flip the cut"],
  ["m", "next color map"],
  ["n", "color by the next column"],
  ["l", "logarithmic colors"],
  ["s", "save a picture"],
  ["d", "dark or light"],
  ["h ?", "this help"],
  ["escape", "close, choose nothing"],
];

export function helpPanel(): HTMLDialogElement {
  const dialog = make("dialog", { id: "help" });
  const rows = HELP.map(([keys, what]) => make("tr", {}, make("th", {}, keys), make("td", {}, what)));
  dialog.append(
    make("h2", {}, "Mouse and keys"),
    make("table", {}, ...rows),
    button("Close", "Close the help", () => dialog.close()),
  );
  return dialog;
}
