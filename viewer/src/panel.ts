// The panel of choices. It only changes settings, and shows what they are.

import type { Camera, Side } from "./camera.ts";
import type { Coloring } from "./coloring.ts";
import { button, choice, labelled, make, setOptions, slider, tick } from "./dom.ts";
import { short } from "./format.ts";
import { MAP_NAMES, type MapName } from "./maps.ts";
import type { Scene } from "./scene.ts";
import type { CutAxis, Settings, Store } from "./settings.ts";
import { sizeAt, sizeRange } from "./sizes.ts";

const CUTS: CutAxis[] = ["none", "x", "y", "z", "view"];

/** What the panel asks for beyond settings. */
export interface PanelActions {
  look(side: Side): void;
  project(): void;
}

export class Panel {
  readonly element: HTMLElement;
  private readonly updates: ((settings: Readonly<Settings>) => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly scene: Scene,
    private readonly coloring: Coloring,
    camera: Camera,
    actions: PanelActions,
  ) {
    this.element = make("aside", { id: "panel" });
    this.element.append(this.colors(), this.grains());
    if (!scene.isFlat) this.element.append(this.cut());
    this.element.append(this.shown(), this.views(camera, actions));
  }

  /** Shows what the settings are. */
  update(): void {
    for (const update of this.updates) update(this.store.now);
  }

  private section(title: string, ...rows: HTMLElement[]): HTMLElement {
    return make("section", {}, make("h2", {}, title), ...rows);
  }

  private colors(): HTMLElement {
    const { store, coloring } = this;
    const column = choice([], (name) => store.set({ column: name, map: coloring.column(name).map, lo: null, hi: null }));
    column.id = "column";
    const map = choice(MAP_NAMES, (name) => store.set({ map: name as MapName }));
    map.id = "map";
    const reversed = tick("reversed", "Turn the map around", (isReversed) => store.set({ isReversed }));
    const logarithmic = tick("logarithmic", "Colors by logarithm", (isLogarithmic) => store.set({ isLogarithmic }));
    const end = (key: "lo" | "hi", title: string): HTMLInputElement => {
      const input = make("input", { type: "number", step: "any", title });
      input.addEventListener("change", () => store.set({ [key]: input.value === "" ? null : Number(input.value) }));
      return input;
    };
    const [lo, hi] = [end("lo", "Value of the first color"), end("hi", "Value of the last color")];
    const all = button("↺", "Colors over the whole range", () => store.set({ lo: null, hi: null }));
    this.updates.push((settings) => {
      setOptions(column, coloring.columns.map(({ name }) => name));
      column.value = coloring.column(settings.column).name;
      map.value = settings.map;
      reversed.input.checked = settings.isReversed;
      logarithmic.input.checked = settings.isLogarithmic;
      const range = coloring.grains(settings);
      for (const [input, value] of [[lo, range.lo], [hi, range.hi]] as const) {
        if (document.activeElement !== input) input.value = short(value, 3);
      }
    });
    const ends = make("div", { className: "row" }, make("span", {}, "range"), lo, hi, all);
    const ticks = make("div", { className: "ticks" }, reversed.row, logarithmic.row);
    return this.section("Colors", labelled("column", column), labelled("map", map), ends, ticks);
  }

  private grains(): HTMLElement {
    const { store, scene } = this;
    const smallest = slider(0, 1, 0.002, (value) => store.set({ smallest: Math.min(value, store.now.largest) }));
    const largest = slider(0, 1, 0.002, (value) => store.set({ largest: Math.max(value, store.now.smallest) }));
    smallest.id = "smallest";
    const text = make("output");
    const rows = [make("div", { className: "row" }, make("span", {}, "radii"), text), labelled("from", smallest), labelled("to", largest)];
    const size = slider(0.05, 1, 0.01, (grainScale) => store.set({ grainScale }));
    if (scene.meta.shape === "round") rows.push(labelled("drawn as", size));
    this.updates.push((settings) => {
      smallest.value = String(settings.smallest);
      largest.value = String(settings.largest);
      size.value = String(settings.grainScale);
      const shown = [settings.smallest, settings.largest].map((share) => short(sizeAt(scene, share) * scene.unit, 3));
      text.textContent = shown.join(" to ");
      const [least, most] = sizeRange(scene);
      for (const input of [smallest, largest]) input.disabled = !(most > least);
    });
    return this.section("Grains", ...rows);
  }

  private cut(): HTMLElement {
    const { store } = this;
    const axis = choice(CUTS, (cutAxis) => store.set({ cutAxis: cutAxis as CutAxis }));
    axis.id = "cut";
    const place = slider(0, 1, 0.002, (cutPlace) => store.set({ cutPlace }));
    place.id = "cut-place";
    const flip = tick("other side", "Cut away the other side", (isCutFlipped) => store.set({ isCutFlipped }));
    this.updates.push((settings) => {
      axis.value = settings.cutAxis;
      place.value = String(settings.cutPlace);
      place.disabled = flip.input.disabled = settings.cutAxis === "none";
      flip.input.checked = settings.isCutFlipped;
    });
    return this.section("Cut", labelled("across", axis), labelled("place", place), make("div", { className: "ticks" }, flip.row));
  }

  private shown(): HTMLElement {
    const { store, scene } = this;
    const kinds: [string, keyof Settings & `shows${string}`, () => boolean][] = [
      ["grains", "showsGrains", () => true],
      ["contacts", "showsContacts", () => scene.meta.frames.some((frame) => frame.contacts > 0)],
      ["walls", "showsWalls", () => scene.frames.some((frame) => frame.walls !== null)],
      ["box", "showsBox", () => scene.frames.some((frame) => frame.meta.box !== null)],
    ];
    const rows = kinds.map(([name, key, isThere]) => {
      const { row, input } = tick(name, `Show ${name}`, (isOn) => store.set({ [key]: isOn }));
      input.id = `show-${name}`;
      this.updates.push((settings) => {
        input.checked = Boolean(settings[key]);
        row.hidden = !isThere();
      });
      return row;
    });
    return this.section("Show", make("div", { className: "ticks" }, ...rows));
  }

  private views(camera: Camera, actions: PanelActions): HTMLElement {
    const row = make("div", { className: "buttons" }, button("whole", "The whole scene (1)", () => actions.look("start")));
    if (!this.scene.isFlat) {
      for (const side of ["x", "y", "z"] as const) row.append(button(side, `Along ${side}`, () => actions.look(side)));
      const projection = button("", "Perspective or parallel (p)", () => actions.project());
      this.updates.push(() => (projection.textContent = camera.isPerspective ? "parallel" : "perspective"));
      row.append(projection);
    }
    return this.section("View", row);
  }
}
