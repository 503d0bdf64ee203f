// The page: its parts, and what happens when something changes.

import { Camera, type Insets } from "./camera.ts";
import { showCard } from "./card.ts";
import { Chart } from "./chart.ts";
import { BAR_COLUMN, BAR_HEIGHT, type Bar } from "./colorbar.ts";
import { Coloring } from "./coloring.ts";
import { button, make } from "./dom.ts";
import { counted, whole } from "./format.ts";
import { helpPanel } from "./help.ts";
import { listen } from "./input.ts";
import { MAP_NAMES, contactColors, mapColors, reversed } from "./maps.ts";
import { type OverlayContent, drawOverlay } from "./overlay.ts";
import { Panel } from "./panel.ts";
import { pick } from "./pick.ts";
import { Renderer } from "./renderer.ts";
import type { Scene } from "./scene.ts";
import { compose, save } from "./screenshot.ts";
import { type CutAxis, type Settings, Store } from "./settings.ts";
import { Timeline, frameText } from "./timeline.ts";

/** A picture that takes longer than this, in milliseconds, is drawn coarser while it moves. */
const SLOW = 45;
/** Grains up to which outlines are smooth. */
const MAX_SMOOTH = 100_000;
/** How small grains are drawn when contacts are to be seen between them. */
const SCALE_WITH_CONTACTS = 0.35;
/** Pixels of a window that has room for columns at both sides, as in page.css. */
const WIDE = 1000;

export class App {
  readonly store: Store;
  readonly camera: Camera;
  private readonly canvas: HTMLCanvasElement;
  private readonly overlay: HTMLCanvasElement;
  private readonly card = make("div", { id: "card", hidden: true });
  private readonly status = make("p", { id: "status" });
  private readonly about = make("p", { id: "about" });
  private readonly coloring: Coloring;
  private readonly renderer: Renderer;
  private readonly panel: Panel;
  private readonly timeline: Timeline;
  private readonly chart: Chart;
  private readonly help = helpPanel();
  private readonly top: HTMLElement;
  private isDue = false;
  private isMoving = false;
  private hasMoved = false;
  private coarseness = 1;
  private lastMoved = 0;
  private chosenId: number | null = null;
  /** Pictures drawn so far, for tests. */
  drawn = 0;

  constructor(readonly scene: Scene) {
    this.canvas = make("canvas", { id: "picture", tabIndex: 0 });
    this.canvas.setAttribute("aria-label", "picture of the particles");
    this.overlay = make("canvas", { id: "overlay" });
    const gl = this.canvas.getContext("webgl2", { antialias: scene.meta.frames.every((frame) => frame.particles <= MAX_SMOOTH), alpha: false, powerPreference: "high-performance" });
    if (gl === null) throw new Error("this browser has no WebGL2, which draws the particles");
    this.store = new Store(startSettings(scene));
    this.camera = new Camera(scene.isFlat, scene.size);
    this.coloring = new Coloring(scene);
    this.renderer = new Renderer(gl, scene, this.coloring);
    this.timeline = new Timeline(this.store, scene);
    this.chart = new Chart(this.store, scene);
    this.panel = new Panel(this.store, scene, this.coloring, this.camera, {
      look: (side) => this.move(() => this.camera.fit(side, this.insets())),
      project: () => this.move(() => this.camera.toggleProjection()),
    });
    this.panel.element.append(this.chart.element);
    this.top = this.head();
    document.body.append(this.canvas, this.overlay, this.top, this.panel.element, this.card, this.timeline.element, this.help);
    this.store.listen((changed) => this.changed(changed));
    listen(this.canvas, this.camera, {
      moved: () => this.moved(),
      rested: () => this.rested(),
      clicked: (x, y) => this.choose(this.pickAt(x, y)),
      doubleClicked: (x, y) => this.lookAt(this.pickAt(x, y)),
      key: (key) => this.key(key),
    });
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", () => this.say("The graphics card gave up: load the page again."));
    this.resized();
    this.applyTheme();
  }

  /** A frame has come. */
  loaded(index: number): void {
    this.coloring.update();
    const first = index === 0;
    if (first) {
      this.store.set({ ...firstChoice(this.scene, this.coloring), ...madeChoice(this.scene, this.coloring) });
      this.resized();
    }
    const all = this.scene.meta.frames.length;
    if (index + 1 === all || first) this.refresh();
    this.say(index + 1 < all ? `loading frame ${whole(index + 1)} of ${whole(all)} ...` : "");
    this.timeline.update();
  }

  say(text: string): void {
    this.status.textContent = text;
    this.status.hidden = text === "";
  }

  /** The picture with its bars as a canvas. */
  picture(): HTMLCanvasElement {
    this.coarseness = 1;
    this.fitCanvas();
    this.renderer.draw(this.store.now, this.camera);
    return compose(this.canvas, this.scene, this.camera, this.overlayContent(true));
  }

  private head(): HTMLElement {
    const { meta } = this.scene;
    const tools = make(
      "div",
      { className: "tools" },
      button("☰", "Show or hide the panel", () => {
        document.body.classList.toggle("panel-closed");
        this.resized();
      }),
      button("◐", "Dark or light (d)", () => this.store.set({ isDark: !this.store.now.isDark })),
      button("⤓", "Save a picture (s)", () => this.savePicture()),
      button("?", "Mouse and keys (h)", () => this.help.showModal()),
    );
    if (window.matchMedia("(max-width: 700px)").matches) document.body.classList.add("panel-closed");
    const notes = meta.notes.map((note) => make("p", { className: "note" }, note));
    const empty = meta.frames.every((each) => each.particles === 0);
    if (empty) notes.push(make("p", { className: "note" }, "There are no particles in this file."));
    return make("header", { id: "head" }, make("div", {}, make("h1", {}, meta.title), this.about, ...notes, this.status), tools);
  }

  /** What the frame holds. */
  private describe(): string {
    const { meta } = this.scene;
    const frame = meta.frames[this.store.now.frame];
    const noun = meta.shape === "polygon" ? "polygon" : this.scene.isFlat ? "disc" : "sphere";
    const frames = meta.frames.length > 1 ? `${counted(meta.frames.length, "frame")}, ` : "";
    const contacts = frame !== undefined && frame.contacts > 0 ? `, ${counted(frame.contacts, "contact")}` : "";
    return `${frames}${counted(frame?.particles ?? 0, noun)}${contacts}`;
  }

  private changed(changed: Set<keyof Settings>): void {
    if (changed.has("frame")) this.followChosen();
    if (changed.has("cutAxis")) this.cutNearSide();
    if (changed.has("isDark")) this.applyTheme();
    if (changed.has("isPlaying") && this.store.now.isPlaying) this.schedule();
    if (changed.has("showsContacts") && !this.scene.isFlat) {
      const { showsContacts, grainScale } = this.store.now;
      if (showsContacts && grainScale === 1) this.store.set({ grainScale: SCALE_WITH_CONTACTS });
      else if (!showsContacts && grainScale === SCALE_WITH_CONTACTS) this.store.set({ grainScale: 1 });
    }
    // Bars come and go.
    if (changed.has("showsContacts") || changed.has("showsGrains")) this.resized();
    this.refresh();
  }

  /** A new cut takes away the side that is nearer to the viewer. */
  private cutNearSide(): void {
    const axis = "xyz".indexOf(this.store.now.cutAxis);
    if (axis >= 0) this.store.set({ isCutFlipped: this.camera.towardsViewer()[axis] < 0 });
    else this.store.set({ isCutFlipped: false });
  }

  private refresh(): void {
    this.panel.update();
    this.timeline.update();
    this.chart.update();
    this.about.textContent = this.describe();
    const { frame, selected } = this.store.now;
    showCard(this.card, selected, this.scene.frames[frame], this.scene, this.coloring, (grain) => this.choose(grain));
    this.schedule();
  }

  private schedule(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame((now) => {
      this.isDue = false;
      const isPlaying = this.timeline.advance(now);
      this.draw();
      if (isPlaying) this.schedule();
    });
  }

  private draw(): void {
    this.fitCanvas();
    this.renderer.draw(this.store.now, this.camera);
    const { overlay } = this;
    const g = overlay.getContext("2d");
    if (g !== null) {
      const ratio = window.devicePixelRatio || 1;
      [overlay.width, overlay.height] = [overlay.clientWidth * ratio, overlay.clientHeight * ratio];
      g.scale(ratio, ratio);
      drawOverlay(g, overlay.clientWidth, overlay.clientHeight, this.scene, this.camera, this.overlayContent(false));
    }
    this.drawn++;
  }

  private overlayContent(hasCaption: boolean): OverlayContent {
    const { now } = this.store;
    const bars: Bar[] = [];
    if (now.showsGrains && (this.scene.frames[now.frame]?.count ?? 0) > 0) {
      const title = now.column === "" ? "radius" : now.column;
      const colors = mapColors(now.map);
      bars.push({ title, colors: now.isReversed ? reversed(colors) : colors, range: this.coloring.grains(now) });
    }
    if (now.showsContacts && this.scene.frames[now.frame]?.contacts) {
      const title = `${this.scene.meta.contact_value} of contacts`;
      bars.push({ title, colors: contactColors(now.isDark), range: this.coloring.contacts() });
    }
    const time = this.scene.meta.frames.length > 1 ? [frameText(this.scene, now.frame)] : [];
    return { bars, caption: hasCaption ? [this.scene.meta.title, ...time] : [], isDark: now.isDark, bottom: hasCaption ? 0 : this.taken() };
  }

  /** The camera has moved; where pictures take long they are coarser until it rests. */
  private moved(): void {
    this.hasMoved = true;
    const now = performance.now();
    if (this.isMoving && now - this.lastMoved > SLOW && this.coarseness < 3) this.coarseness += 0.5;
    this.isMoving = true;
    this.lastMoved = now;
    this.panel.update();
    this.schedule();
  }

  private rested(): void {
    this.isMoving = false;
    this.coarseness = 1;
    this.schedule();
  }

  private move(change: () => void): void {
    this.hasMoved = true;
    change();
    this.panel.update();
    this.schedule();
  }

  /** Until the user moves, the scene fits into what is free of the window. */
  private resized(): void {
    this.fitCanvas();
    if (!this.hasMoved) this.camera.fit("start", this.insets());
    this.schedule();
  }

  /** Pixels of the page that the slider of time takes at the lower edge, where there is no place beside it. */
  private taken(): number {
    return this.timeline.element.hidden || this.canvas.clientWidth > WIDE ? 0 : 50;
  }

  /** What panel and bars cover, in pixels of the drawing. */
  private insets(): Insets {
    const ratio = this.camera.height / Math.max(1, this.canvas.clientHeight);
    const panel = this.panel.element;
    const isBeside = panel.offsetParent !== null || panel.offsetWidth > 0 ? panel.offsetTop < 100 : false;
    const right = isBeside ? panel.offsetWidth + 16 : 8;
    const notes = [...this.top.querySelectorAll(".note")].map((note) => note.getBoundingClientRect());
    // Beside the notes where they have a column of their own, which has room for the bars too, or else below them.
    const isWide = notes.length > 0 && this.canvas.clientWidth > WIDE;
    const left = isWide ? Math.max(BAR_COLUMN, ...notes.map((note) => note.right)) + 12 : 8;
    const below = isWide ? [] : notes.map((note) => note.bottom + 8);
    const top = Math.min(Math.max(52, ...below), 0.4 * this.canvas.clientHeight);
    const bars = isWide ? 1 : Math.max(1, this.overlayContent(false).bars.length);
    const bottom = 6 + bars * (BAR_HEIGHT + 4) + this.taken();
    return { left: left * ratio, right: right * ratio, top: top * ratio, bottom: bottom * ratio };
  }

  /** As many pixels as the screen has, or fewer while the picture moves. */
  private fitCanvas(): void {
    const { canvas } = this;
    const ratio = Math.max(0.5, (window.devicePixelRatio || 1) / (this.isMoving ? this.coarseness : 1));
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.max(1, Math.round(length * ratio)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.camera.resize(width, height);
  }

  private applyTheme(): void {
    document.documentElement.dataset["theme"] = this.store.now.isDark ? "dark" : "light";
    this.chart.update();
  }

  private pickAt(x: number, y: number): number {
    return pick(x, y, this.store.now, this.scene, this.camera);
  }

  private choose(grain: number): void {
    const frame = this.scene.frames[this.store.now.frame];
    this.chosenId = grain < 0 ? null : (frame?.ids?.[grain] ?? null);
    this.store.set({ selected: grain });
  }

  /** The chosen grain keeps its id from frame to frame, not its place in the file. */
  private followChosen(): void {
    const frame = this.scene.frames[this.store.now.frame];
    if (this.chosenId === null || frame?.ids === null || frame === undefined) return;
    this.store.set({ selected: frame.ids.indexOf(this.chosenId) });
  }

  private lookAt(grain: number): void {
    const frame = this.scene.frames[this.store.now.frame];
    if (grain < 0 || frame === undefined) return;
    this.move(() => (this.camera.target = [0, 1, 2].map((axis) => frame.positions[3 * grain + axis]) as [number, number, number]));
  }

  private savePicture(): void {
    save(this.picture(), `${this.scene.meta.title.replace(/[^\w.-]+/g, "-")}-${this.store.now.frame + 1}.png`);
    this.schedule();
  }

  private key(key: string): boolean {
    const { store } = this;
    const { now } = store;
    const frames = this.scene.frames.length;
    const cut = (axis: CutAxis): void => store.set({ cutAxis: now.cutAxis === axis ? "none" : axis });
    const keys: Record<string, () => void> = {
      " ": () => store.set({ isPlaying: !now.isPlaying && frames > 1 }),
      ".": () => store.set({ frame: Math.min(frames - 1, now.frame + 1), isPlaying: false }),
      ",": () => store.set({ frame: Math.max(0, now.frame - 1), isPlaying: false }),
      c: () => store.set({ showsContacts: !now.showsContacts }),
      b: () => store.set({ showsBox: !now.showsBox }),
      w: () => store.set({ showsWalls: !now.showsWalls }),
      g: () => store.set({ showsGrains: !now.showsGrains }),
      x: () => cut("x"),
      y: () => cut("y"),
      z: () => cut("z"),
      v: () => cut("view"),
      "[": () => store.set({ cutPlace: Math.max(0, now.cutPlace - 0.02) }),
      "]": () => store.set({ cutPlace: Math.min(1, now.cutPlace + 0.02) }),
      f: () => store.set({ isCutFlipped: !now.isCutFlipped }),
      m: () => store.set({ map: MAP_NAMES[(MAP_NAMES.indexOf(now.map) + 1) % MAP_NAMES.length] }),
      n: () => this.nextColumn(),
      l: () => store.set({ isLogarithmic: !now.isLogarithmic }),
      s: () => this.savePicture(),
      d: () => store.set({ isDark: !now.isDark }),
      h: () => this.help.showModal(),
      "?": () => this.help.showModal(),
      Escape: () => this.choose(-1),
    };
    const action = keys[key];
    action?.();
    return action !== undefined;
  }

  private nextColumn(): void {
    const names = this.coloring.columns.map(({ name }) => name);
    const column = names[(names.indexOf(this.store.now.column) + 1) % names.length];
    this.store.set({ column, map: this.coloring.column(column).map, lo: null, hi: null });
  }
}

function startSettings(scene: Scene): Settings {
  return {
    // Runs may begin without a grain.
    frame: Math.max(0, scene.meta.frames.findIndex(({ particles }) => particles > 0)),
    column: "radius",
    map: "viridis",
    isReversed: false,
    isLogarithmic: false,
    lo: null,
    hi: null,
    grainScale: 1,
    smallest: 0,
    largest: 1,
    cutAxis: "none",
    cutPlace: 0.5,
    isCutFlipped: false,
    showsGrains: true,
    showsContacts: false,
    showsWalls: true,
    showsBox: true,
    selected: -1,
    isDark: window.matchMedia("(prefers-color-scheme: dark)").matches,
    isPlaying: false,
    framesPerSecond: scene.meta.frames.length > 100 ? 30 : 10,
  };
}

/** What the maker of the page wants to be seen first. */
function madeChoice(scene: Scene, coloring: Coloring): Partial<Settings> {
  const { start } = scene.meta;
  const choice: Partial<Settings> = {};
  if (start === undefined) return choice;
  if (start.column !== null && coloring.column(start.column).name === start.column) {
    choice.column = start.column;
    choice.map = coloring.column(start.column).map;
    choice.isLogarithmic = false;
  }
  if (start.cut !== null) choice.cutAxis = start.cut;
  if (start.contacts !== null) choice.showsContacts = start.contacts;
  if (start.plays && scene.meta.frames.length > 1) Object.assign(choice, { isPlaying: true, frame: 0 });
  return choice;
}

/** Colors that show something: radii if they differ, else speeds or contacts, else heights. */
function firstChoice(scene: Scene, coloring: Coloring): Partial<Settings> {
  const spread = (name: string): number => {
    const [lo, hi] = coloring.range(name, false);
    return hi - lo > 1e-6 * Math.abs(hi) ? (lo > 0 ? hi / lo : Infinity) : 1;
  };
  if (spread("radius") > 1.01) return { column: "radius", isLogarithmic: spread("radius") > 20 && spread("radius") < Infinity };
  const height = scene.isFlat ? "y" : "z";
  const column = ["speed", "contacts", height].find((name) => coloring.column(name).name === name && spread(name) > 1);
  return { column: column ?? "radius" };
}
