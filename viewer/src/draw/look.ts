// How a picture is to look: what all drawings go by.

import type { Program } from "../gl.ts";

export interface Look {
  view: Float32Array;
  projection: Float32Array;
  isPerspective: boolean;
  isFlat: boolean;
  /** Length of a pixel: at distance one if the view is in perspective, else everywhere. */
  pixel: number;
  /** Pixels of the picture. */
  resolution: [number, number];
  grainScale: number;
  /** Pixels across that the largest grain can have. */
  largestInPixels: number;
  /** How far grains fade into this color, so that what lies on them is seen. */
  fade: [number, number, number, number];
  /** Smallest and largest radius that is shown. */
  sizes: [number, number];
  /** The selected particle, or -1. */
  selected: number;
  /** What has a larger product with the first three, in view, than the fourth is cut away. */
  cut: [number, number, number, number];
  light: [number, number, number];
  ring: [number, number, number];
  /** The color of no value. */
  none: [number, number, number];
  range: ColorRange;
}

/** How values become places in the map of the texture unit. */
export interface ColorRange {
  unit: number;
  lo: number;
  hi: number;
  isLogarithmic: boolean;
  isKinds: boolean;
}

export function setColors(program: Program, look: Look, range: ColorRange = look.range): void {
  const place = (value: number): number => (range.isLogarithmic ? Math.log2(Math.max(value, 1e-38)) : value);
  const [lo, hi] = [place(range.lo), place(range.hi)];
  program.int("u_map", range.unit);
  program.floats("u_range", [hi > lo ? lo : lo - 1, hi > lo ? 1 / (hi - lo) : 0.5, range.isLogarithmic ? 1 : 0, range.isKinds ? 1 : 0]);
  program.floats("u_none", look.none);
}
