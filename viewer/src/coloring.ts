// Which color a grain has: the column, its range, the map.

import { type Column, columnsOf, rangeOf } from "./columns.ts";
import type { ColorRange } from "./draw/look.ts";
import type { Frame, Scene } from "./scene.ts";
import type { Settings } from "./settings.ts";

/** The texture unit of the map for grains, and of that for contacts. */
export const GRAIN_UNIT = 0;
export const CONTACT_UNIT = 1;

export class Coloring {
  columns: Column[] = [];
  private readonly ranges = new Map<string, [number, number]>();
  private framesKnown = 0;

  constructor(private readonly scene: Scene) {}

  /** Takes note of frames that have come since. */
  update(): void {
    if (this.framesKnown === this.scene.frames.length) return;
    const known = new Map(this.columns.map((column) => [column.name, column]));
    this.columns = columnsOf(this.scene).map((column) => known.get(column.name) ?? column);
    this.framesKnown = this.scene.frames.length;
    this.ranges.clear();
  }

  column(name: string): Column {
    return this.columns.find((column) => column.name === name) ?? this.columns[0];
  }

  values(settings: Settings, frame: Frame): Float32Array {
    return this.column(settings.column).of(frame);
  }

  /** The range of a column over all frames. */
  range(name: string, onlyPositive: boolean): [number, number] {
    const key = `${name} ${onlyPositive}`;
    let range = this.ranges.get(key);
    if (range === undefined) this.ranges.set(key, (range = rangeOf(this.column(name), this.scene.frames, onlyPositive) ?? [0, 1]));
    return range;
  }

  /** From where to where the colors of grains go. */
  grains(settings: Settings): ColorRange {
    const [lo, hi] = this.range(settings.column, settings.isLogarithmic);
    return {
      unit: GRAIN_UNIT,
      lo: settings.lo ?? lo,
      hi: settings.hi ?? hi,
      isLogarithmic: settings.isLogarithmic,
      isKinds: settings.map === "distinct",
    };
  }

  /** From nothing to what nearly all contacts of all frames carry: a few impacts must not make all others look alike. */
  contacts(): ColorRange {
    let range = this.ranges.get("contact");
    if (range === undefined) {
      this.ranges.set("contact", (range = [0, topOf(this.scene.frames.map((frame) => frame.contacts?.values ?? new Float32Array(0)))]));
    }
    return { unit: CONTACT_UNIT, lo: range[0], hi: range[1], isLogarithmic: false, isKinds: false };
  }
}

/** Values that are looked at to find their upper end, and the share of them that is below it. */
const MAX_LOOKED_AT = 100_000;
const BELOW = 0.95;

function topOf(arrays: Float32Array[]): number {
  const count = arrays.reduce((sum, array) => sum + array.length, 0);
  const every = Math.max(1, Math.ceil(count / MAX_LOOKED_AT));
  const some: number[] = [];
  for (const array of arrays) for (let k = 0; k < array.length; k += every) some.push(array[k]);
  some.sort((a, b) => a - b);
  return some[Math.min(some.length - 1, Math.floor(BELOW * some.length))] ?? 0;
}
