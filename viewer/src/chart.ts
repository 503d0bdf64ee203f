// The table of a run as a curve over time, with the time that is shown.

import { choice, make } from "./dom.ts";
import { short, ticks } from "./format.ts";
import type { Scene } from "./scene.ts";
import type { Store } from "./settings.ts";

const HEIGHT = 120;
const LEFT = 46;
const BOTTOM = 18;

export class Chart {
  readonly element: HTMLElement;
  private readonly canvas = make("canvas", { className: "chart" });
  private readonly column: HTMLSelectElement;
  private readonly times: number[];

  constructor(
    private readonly store: Store,
    private readonly scene: Scene,
  ) {
    const table = scene.meta.table;
    this.times = table?.columns[table.names.indexOf("time")] ?? [];
    const names = (table?.names ?? []).filter((name) => name !== "time" && name !== "step");
    this.column = choice(names, () => this.update());
    this.column.value = names.includes("total") ? "total" : (names[0] ?? "");
    this.element = make("section", { id: "chart" }, make("h2", {}, "Table of the run"), this.column, this.canvas);
    this.element.hidden = this.times.length < 2 || names.length === 0;
    this.canvas.title = "Click to go to a time";
    this.canvas.addEventListener("click", (event) => this.seek(event.offsetX));
  }

  update(): void {
    const table = this.scene.meta.table;
    if (this.element.hidden || table === null) return;
    const values = table.columns[table.names.indexOf(this.column.value)] ?? [];
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth || 230;
    [this.canvas.width, this.canvas.height] = [width * ratio, HEIGHT * ratio];
    this.canvas.style.height = `${HEIGHT}px`;
    const g = this.canvas.getContext("2d");
    if (g === null) return;
    g.scale(ratio, ratio);
    const ink = getComputedStyle(this.canvas).color;
    const finite = values.filter((value) => Number.isFinite(value));
    let [lo, hi] = [Math.min(...finite), Math.max(...finite)];
    if (!(hi > lo)) [lo, hi] = [lo - 0.5 * (Math.abs(lo) || 1), lo + 0.5 * (Math.abs(lo) || 1)];
    const x = (time: number): number => LEFT + this.share(time) * (width - LEFT - 6);
    const y = (value: number): number => 6 + ((hi - value) / (hi - lo)) * (HEIGHT - BOTTOM - 10);
    g.font = "10px system-ui, sans-serif";
    g.fillStyle = ink;
    g.strokeStyle = ink;
    g.globalAlpha = 0.25;
    g.textBaseline = "middle";
    g.textAlign = "right";
    for (const tick of ticks(lo, hi, 3)) {
      g.fillRect(LEFT, y(tick), width - LEFT - 6, 0.5);
      g.globalAlpha = 0.8;
      g.fillText(short(tick, 3), LEFT - 4, y(tick));
      g.globalAlpha = 0.25;
    }
    g.globalAlpha = 0.8;
    g.textAlign = "center";
    for (const tick of ticks(this.times[0], this.times[this.times.length - 1], 3)) g.fillText(short(tick, 3), x(tick), HEIGHT - 7);
    g.globalAlpha = 1;
    g.lineWidth = 1.4;
    g.strokeStyle = "#3f7fd1";
    g.beginPath();
    values.forEach((value, k) => {
      if (Number.isFinite(value)) g.lineTo(x(this.times[k]), y(value));
    });
    g.stroke();
    const now = this.scene.meta.frames[this.store.now.frame]?.time;
    if (now !== null && now !== undefined) {
      g.fillStyle = "#d1495b";
      g.fillRect(x(now) - 0.75, 2, 1.5, HEIGHT - BOTTOM - 2);
    }
  }

  private share(time: number): number {
    const [first, last] = [this.times[0], this.times[this.times.length - 1]];
    return (time - first) / (last - first || 1);
  }

  /** The frame nearest to a time. */
  private seek(offset: number): void {
    const width = this.canvas.clientWidth;
    const [first, last] = [this.times[0], this.times[this.times.length - 1]];
    const time = first + ((offset - LEFT) / (width - LEFT - 6)) * (last - first);
    let nearest = -1;
    this.scene.frames.forEach(({ meta }, k) => {
      const gap = Math.abs((meta.time ?? Infinity) - time);
      if (nearest < 0 || gap < Math.abs((this.scene.frames[nearest].meta.time ?? Infinity) - time)) nearest = k;
    });
    if (nearest >= 0) this.store.set({ frame: nearest, isPlaying: false });
  }
}
