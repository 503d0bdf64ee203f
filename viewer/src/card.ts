// The values and contacts of the chosen grain.

import type { Coloring } from "./coloring.ts";
import { button, make } from "./dom.ts";
import { counted, short, whole } from "./format.ts";
import type { Frame, Scene } from "./scene.ts";

/** Contacts that are listed. */
const MAX_LISTED = 50;

/** Fills the card for a grain of a frame; hides it where there is none. */
export function showCard(card: HTMLElement, grain: number, frame: Frame | undefined, scene: Scene, coloring: Coloring, choose: (grain: number) => void): void {
  if (frame === undefined || grain < 0 || grain >= frame.count) {
    card.hidden = true;
    return;
  }
  const name = (k: number): string => (frame.ids === null ? whole(k) : `id ${frame.ids[k]}`);
  const rows: [string, string][] = [];
  if (frame.ids !== null) rows.push(["index", whole(grain)]);
  const place = scene.toFile(frame.positions, 3 * grain).slice(0, scene.meta.dimension);
  rows.push(["center", place.map((x) => short(x, 6)).join(", ")]);
  for (const column of coloring.columns) {
    if (["x", "y", "z", "index", "contacts"].includes(column.name)) continue;
    rows.push([column.name, short(column.of(frame)[grain], 6)]);
  }
  const head = make("header", {}, make("b", {}, `Grain ${name(grain)}`), button("×", "Choose nothing", () => choose(-1)));
  const table = make("table", {}, ...rows.map(([key, value]) => make("tr", {}, make("th", {}, key), make("td", {}, value))));
  card.replaceChildren(head, table);
  if (frame.contacts !== null) card.append(contactList(grain, frame, scene, name, choose));
  card.hidden = false;
}

function contactList(grain: number, frame: Frame, scene: Scene, name: (k: number) => string, choose: (grain: number) => void): HTMLElement {
  const found: { partner: number; value: number }[] = [];
  const contacts = frame.contacts;
  for (let k = 0; contacts !== null && k < contacts.first.length; k++) {
    const [i, j] = [contacts.first[k], contacts.second[k]];
    if (i === grain || j === grain) found.push({ partner: i === grain ? j : i, value: contacts.values[k] });
  }
  found.sort((a, b) => b.value - a.value);
  const rows = found.slice(0, MAX_LISTED).map(({ partner, value }) => {
    const link = button(name(partner), "Choose this grain", () => choose(partner));
    return make("tr", {}, make("td", {}, link), make("td", {}, short(value)));
  });
  const head = make("tr", {}, make("th", {}, counted(found.length, "contact")), make("th", {}, scene.meta.contact_value));
  return make("div", { className: "contacts" }, make("table", {}, head, ...rows));
}
