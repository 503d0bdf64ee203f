// The data of a page in memory. Positions and radii are scaled so that the scene is one unit across, around its middle:
// single precision is then enough for any unit of the user's.

import { type Arrays, type Decoded, decodeFrame } from "./payload.ts";
import { type FrameMeta, type PageMeta, type Vec3, takeChunk } from "./page.ts";

/** Contacts of a frame. */
export interface Contacts {
  first: Uint32Array;
  second: Uint32Array;
  /** Both ends of each in the scene: the second as the image that touches. */
  ends: Float32Array;
  values: Float32Array;
}

/** Polygons of a frame: their corners one after the other, and where those of each begin, in the scene. */
export interface Polygons {
  starts: Uint32Array;
  corners: Float32Array;
}

/** Walls of a frame as triangles and edges, three numbers for each corner. */
export interface Walls {
  triangles: Float32Array;
  edges: Float32Array;
}

export interface Frame {
  meta: FrameMeta;
  count: number;
  /** Three numbers for each particle. */
  positions: Float32Array;
  radii: Float32Array;
  /** Permanent ids, or null where particles are counted. */
  ids: Uint32Array | null;
  /** Numbers of the file, in its own units, by name. */
  columns: Map<string, Float32Array>;
  contacts: Contacts | null;
  polygons: Polygons | null;
  walls: Walls | null;
}

const COLUMN = "column:";

export class Scene {
  readonly frames: Frame[] = [];
  /** Middle of the scene, in the file's units, and how long one unit of the scene is in them. */
  readonly middle: Vec3;
  readonly unit: number;
  /** Lengths of the scene. */
  readonly size: Vec3;

  constructor(readonly meta: PageMeta) {
    const { lo, hi } = meta;
    const lengths = [0, 1, 2].map((axis) => hi[axis] - lo[axis]) as Vec3;
    this.middle = [0, 1, 2].map((axis) => (lo[axis] + hi[axis]) / 2) as Vec3;
    this.unit = Math.max(...lengths) || 1;
    this.size = lengths.map((length) => length / this.unit) as Vec3;
  }

  get isFlat(): boolean {
    return this.meta.dimension === 2;
  }

  /** Decodes the frames one after the other; `loaded` is called for each. */
  async load(document: Document, loaded: (frame: Frame, index: number) => void): Promise<void> {
    let before: Arrays = new Map();
    for (const [index, meta] of this.meta.frames.entries()) {
      const arrays = await decodeFrame(takeChunk(document, index), meta.arrays, before);
      const frame = this.frame(meta, arrays, before, this.frames[index - 1]);
      this.frames.push(frame);
      before = arrays;
      loaded(frame, index);
    }
  }

  /** A point of the file in the scene. */
  toScene(point: ArrayLike<number>, at = 0): Vec3 {
    return [0, 1, 2].map((axis) => (point[at + axis] - this.middle[axis]) / this.unit) as Vec3;
  }

  /** A point of the scene in the file's units. */
  toFile(point: ArrayLike<number>, at = 0): Vec3 {
    return [0, 1, 2].map((axis) => point[at + axis] * this.unit + this.middle[axis]) as Vec3;
  }

  private frame(meta: FrameMeta, arrays: Arrays, earlier: Arrays, last: Frame | undefined): Frame {
    const isSame = (name: string): boolean => last !== undefined && arrays.get(name) === earlier.get(name);
    const positions = last && isSame("position") ? last.positions : this.points(arrays.get("position"));
    const radii = last && isSame("radius") ? last.radii : this.lengths(arrays.get("radius"));
    const columns = new Map<string, Float32Array>();
    for (const [name, array] of arrays) {
      if (name.startsWith(COLUMN)) columns.set(name.slice(COLUMN.length), array.values as Float32Array);
    }
    const areWallsSame = isSame("wall.triangle") && isSame("wall.edge");
    const walls = last && areWallsSame ? last.walls : this.walls(arrays);
    return {
      meta,
      count: radii.length,
      positions,
      radii,
      ids: (arrays.get("id")?.values as Uint32Array | undefined) ?? null,
      columns,
      contacts: this.contacts(meta, arrays, positions),
      polygons: this.polygons(arrays),
      walls,
    };
  }

  /** Points in the scene, three numbers each. */
  private points(array: Decoded | undefined): Float32Array {
    if (array === undefined) return new Float32Array(0);
    const { values, components } = array;
    const count = values.length / components;
    const points = new Float32Array(3 * count);
    for (let axis = 0; axis < components; axis++) {
      const [middle, unit] = [this.middle[axis], this.unit];
      for (let k = 0; k < count; k++) points[3 * k + axis] = (values[components * k + axis] - middle) / unit;
    }
    return points;
  }

  private lengths(array: Decoded | undefined): Float32Array {
    return Float32Array.from(array?.values ?? [], (length) => length / this.unit);
  }

  private contacts(meta: FrameMeta, arrays: Arrays, positions: Float32Array): Contacts | null {
    const [first, second] = [arrays.get("contact.first"), arrays.get("contact.second")].map(
      (array) => array?.values as Uint32Array | undefined,
    );
    if (first === undefined || second === undefined) return null;
    const shifts = arrays.get("contact.shift");
    const ends = new Float32Array(6 * first.length);
    for (let k = 0; k < first.length; k++) {
      for (let axis = 0; axis < 3; axis++) {
        ends[6 * k + axis] = positions[3 * first[k] + axis];
        ends[6 * k + 3 + axis] = positions[3 * second[k] + axis];
      }
      if (shifts === undefined || meta.box === null) continue;
      for (const [edge, along] of meta.box.edges.entries()) {
        const boxes = shifts.values[shifts.components * k + edge] / this.unit;
        for (let axis = 0; axis < 3; axis++) ends[6 * k + 3 + axis] += boxes * along[axis];
      }
    }
    const values = (arrays.get("contact.value")?.values as Float32Array | undefined) ?? new Float32Array(first.length);
    return { first, second, ends, values };
  }

  private polygons(arrays: Arrays): Polygons | null {
    const counts = arrays.get("corner.count")?.values;
    if (counts === undefined) return null;
    const starts = new Uint32Array(counts.length + 1);
    for (let k = 0; k < counts.length; k++) starts[k + 1] = starts[k] + counts[k];
    return { starts, corners: this.points(arrays.get("corner")) };
  }

  private walls(arrays: Arrays): Walls | null {
    const [triangles, edges] = [arrays.get("wall.triangle"), arrays.get("wall.edge")];
    if (triangles === undefined && edges === undefined) return null;
    return { triangles: this.points(triangles), edges: this.points(edges) };
  }
}
