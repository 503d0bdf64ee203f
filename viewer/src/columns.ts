// What grains can be colored by: columns of the file, and what follows from the data.

import type { MapName } from "./maps.ts";
import type { Frame, Scene } from "./scene.ts";

/** Columns of kinds, which are colored as such. */
const KINDS = /^(material|type|species|mol|molecule|level|group|cluster|wall|kind)$/i;

export interface Column {
  name: string;
  /** Values of all particles of a frame, in the file's units. */
  of(frame: Frame): Float32Array;
  map: MapName;
}

/** Every column that the frames have, the natural ones first. */
export function columnsOf(scene: Scene): Column[] {
  const names = new Set(scene.frames.flatMap((frame) => [...frame.columns.keys()]));
  // Polygons bring a radius of their own, of the circle that they were made in.
  const columns: Column[] = names.has("radius")
    ? []
    : [derived("radius", (frame) => frame.radii.map((radius) => radius * scene.unit))];
  if (names.has("vx") && names.has("vy")) {
    columns.push(derived("speed", (frame) => speeds(frame)));
  }
  for (const name of names) {
    const map: MapName = KINDS.test(name) ? "distinct" : "viridis";
    columns.push({ ...derived(name, (frame) => frame.columns.get(name) ?? missing(frame)), map });
  }
  const isTold = columns.some((column) => column.name === "contacts");
  if (!isTold && scene.frames.some((frame) => frame.contacts !== null)) {
    columns.push(derived("contacts", (frame) => contactCounts(frame)));
  }
  for (const [axis, name] of ["x", "y", "z"].slice(0, scene.meta.dimension).entries()) {
    columns.push(derived(name, (frame) => frame.radii.map((_, k) => frame.positions[3 * k + axis] * scene.unit + scene.middle[axis])));
  }
  columns.push(derived("index", (frame) => frame.radii.map((_, k) => k)));
  return columns;
}

/** Smallest and largest finite value over all frames; nothing if there is none. */
export function rangeOf(column: Column, frames: Frame[], onlyPositive = false): [number, number] | null {
  let [lo, hi] = [Infinity, -Infinity];
  for (const frame of frames) {
    for (const value of column.of(frame)) {
      if (onlyPositive && !(value > 0)) continue;
      if (value < lo) lo = value;
      if (value > hi && value !== Infinity) hi = value;
    }
  }
  return lo <= hi && lo !== -Infinity ? [lo, hi] : null;
}

/** A column that is worked out once for each frame. */
function derived(name: string, values: (frame: Frame) => Float32Array): Column {
  const known = new WeakMap<Frame, Float32Array>();
  const of = (frame: Frame): Float32Array => {
    let found = known.get(frame);
    if (found === undefined) known.set(frame, (found = values(frame)));
    return found;
  };
  return { name, of, map: "viridis" };
}

function missing(frame: Frame): Float32Array {
  return new Float32Array(frame.count).fill(NaN);
}

function speeds(frame: Frame): Float32Array {
  const [x, y, z] = ["vx", "vy", "vz"].map((name) => frame.columns.get(name));
  if (x === undefined || y === undefined) return missing(frame);
  return frame.radii.map((_, k) => Math.hypot(x[k], y[k], z?.[k] ?? 0));
}

function contactCounts(frame: Frame): Float32Array {
  const counts = new Float32Array(frame.count);
  if (frame.contacts === null) return missing(frame);
  const { first, second } = frame.contacts;
  for (let k = 0; k < first.length; k++) {
    counts[first[k]]++;
    counts[second[k]]++;
  }
  return counts;
}
