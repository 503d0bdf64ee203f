// Which sizes are shown.

import type { Scene } from "./scene.ts";
import type { Settings } from "./settings.ts";

const ranges = new WeakMap<Scene, { frames: number; range: [number, number] }>();

/** Smallest and largest radius of all frames, in the scene. */
export function sizeRange(scene: Scene): [number, number] {
  const known = ranges.get(scene);
  if (known?.frames === scene.frames.length) return known.range;
  let [lo, hi] = [Infinity, 0];
  for (const [k, frame] of scene.frames.entries()) {
    if (k > 0 && frame.radii === scene.frames[k - 1].radii) continue;
    for (const radius of frame.radii) {
      if (radius < lo) lo = radius;
      if (radius > hi) hi = radius;
    }
  }
  const range: [number, number] = lo <= hi ? [lo, hi] : [0, 0];
  ranges.set(scene, { frames: scene.frames.length, range });
  return range;
}

/** The radius at a share of the range, by logarithm where that is possible. */
export function sizeAt(scene: Scene, share: number): number {
  const [lo, hi] = sizeRange(scene);
  return lo > 0 ? lo * (hi / lo) ** share : lo + share * (hi - lo);
}

/** Smallest and largest radius that is shown, in the scene. */
export function shownSizes(settings: Settings, scene: Scene): [number, number] {
  const from = settings.smallest <= 0 ? -1 : sizeAt(scene, settings.smallest);
  const to = settings.largest >= 1 ? Infinity : sizeAt(scene, settings.largest);
  return [from, to === Infinity ? 1e30 : to];
}
