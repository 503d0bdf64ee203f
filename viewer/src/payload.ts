// From the text of a frame to its arrays.

import { inflate } from "./inflate.ts";
import type { ArrayMeta } from "./page.ts";

/** Letters of base64 that are decoded at a time: a multiple of four. */
const BLOCK = 1 << 20;

/** An array of a frame. Fixed point numbers keep their integers, which the next frame may count from. */
export interface Decoded {
  components: number;
  values: Float32Array | Float64Array | Uint32Array | Int8Array;
  integers?: Uint32Array;
}

export type Arrays = Map<string, Decoded>;

/** The arrays of a frame; `before` are those of the frame before. */
export async function decodeFrame(text: string, metas: ArrayMeta[], before: Arrays): Promise<Arrays> {
  return decodeArrays(await inflated(fromBase64(text)), metas, before);
}

/** The arrays out of the bytes of a frame. */
export function decodeArrays(bytes: Uint8Array, metas: ArrayMeta[], before: Arrays): Arrays {
  const arrays: Arrays = new Map();
  let at = 0;
  for (const meta of metas) {
    const earlier = before.get(meta.name);
    if (meta.same) {
      if (earlier === undefined) throw new Error(`there is no earlier ${meta.name}`);
      arrays.set(meta.name, earlier);
      continue;
    }
    const { length = 0, components = 1, encoding } = meta;
    const width = encoding === "fixed" ? (meta.bytes ?? 4) : encoding === "byte" ? 1 : 4;
    const size = width * length * components;
    const planes = bytes.subarray(at, at + size);
    if (planes.length < size) throw new Error(`the data of ${meta.name} are cut short`);
    at += size;
    arrays.set(meta.name, decodeArray(planes, meta, length, components, width, earlier));
  }
  return arrays;
}

function decodeArray(
  planes: Uint8Array,
  meta: ArrayMeta,
  length: number,
  components: number,
  width: number,
  earlier: Decoded | undefined,
): Decoded {
  if (meta.encoding === "byte") return { components, values: new Int8Array(interleaved(planes, length, components, 1)) };
  const integers = interleaved(planes, length, components, width);
  switch (meta.encoding) {
    case "float":
      return { components, values: new Float32Array(integers.buffer) };
    case "index":
      for (let k = components; k < integers.length; k++) integers[k] += integers[k - components];
      return { components, values: integers };
    default:
      return fixed(integers, meta, components, width, earlier);
  }
}

/** Little-endian integers out of planes: all of one component before the next, all lowest bytes before the others. */
function interleaved(planes: Uint8Array, length: number, components: number, width: number): Uint32Array {
  const integers = new Uint32Array(length * components);
  let at = 0;
  for (let component = 0; component < components; component++) {
    for (let shift = 0; shift < 8 * width; shift += 8) {
      for (let k = component; k < integers.length; k += components) integers[k] |= planes[at++] << shift;
    }
  }
  return integers;
}

function fixed(integers: Uint32Array, meta: ArrayMeta, components: number, width: number, earlier: Decoded | undefined): Decoded {
  if (meta.delta) {
    const base = earlier?.integers;
    if (base === undefined || base.length !== integers.length) throw new Error(`there is no earlier ${meta.name}`);
    const mask = width === 4 ? 0xffffffff : 2 ** (8 * width) - 1;
    for (let k = 0; k < integers.length; k++) integers[k] = (integers[k] + base[k]) & mask;
  }
  const values = new Float64Array(integers.length);
  for (let k = 0, component = 0; k < values.length; k++, component = (component + 1) % components) {
    values[k] = (meta.lo?.[component] ?? 0) + (meta.step?.[component] ?? 1) * integers[k];
  }
  return { components, values, integers };
}

/** Bytes in base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const clean = text.trim();
  const padding = clean.endsWith("==") ? 2 : clean.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((clean.length / 4) * 3 - padding);
  let at = 0;
  for (let start = 0; start < clean.length; start += BLOCK) {
    const block = atob(clean.slice(start, start + BLOCK));
    for (let k = 0; k < block.length; k++) bytes[at++] = block.charCodeAt(k);
  }
  return bytes;
}

/** What raw deflate stands for, by the browser itself where it can. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  let stream: DecompressionStream;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    return inflate(bytes);
  }
  const plain = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
