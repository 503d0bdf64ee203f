// Data are unpacked right, also where the browser cannot inflate by itself. Needs node alone.

import assert from "node:assert/strict";
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { constants, deflateRawSync } from "node:zlib";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src");

async function module(name) {
  const { outputFiles } = await build({ entryPoints: [join(source, name)], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { inflate } = await module("inflate.ts");
const { decodeArrays, fromBase64, inflated } = await module("payload.ts");
const { logTicks, short, ticks } = await module("format.ts");
const { contactColors, mapColors, MAP_NAMES, MAP_SIZE } = await module("maps.ts");

/** Bytes of several kinds, by a generator whose values never change. */
function samples() {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647);
  const bytes = (length, of) => Uint8Array.from({ length }, of);
  return [
    new Uint8Array(0),
    bytes(1, () => 7),
    bytes(100_000, () => 0),
    bytes(100_000, () => random() & 255),
    bytes(100_000, (_, k) => (k * k) >> 8),
    bytes(300_000, (_, k) => (random() % 7 === 0 ? random() & 255 : k & 15)),
  ];
}

test("both ways of inflating give the bytes back", async () => {
  for (const sample of samples()) {
    for (const options of [{ level: 0 }, { level: 6 }, { level: 9 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }]) {
      const packed = new Uint8Array(deflateRawSync(sample, options));
      assert.deepEqual(Buffer.from(inflate(packed)), Buffer.from(sample));
      assert.deepEqual(Buffer.from(await inflated(packed)), Buffer.from(sample));
    }
  }
});

test("damaged data are errors", () => {
  const packed = new Uint8Array(deflateRawSync(samples()[4]));
  assert.throws(() => inflate(packed.subarray(0, packed.length / 2)), /end too early/);
  assert.throws(() => inflate(new Uint8Array([7])), /no known kind/);
});

test("base64 is decoded", () => {
  for (const text of ["", "g", "gr", "gra", "grain"]) {
    assert.equal(Buffer.from(fromBase64(Buffer.from(text).toString("base64"))).toString(), text);
  }
});

test("arrays are put together from their planes", () => {
  const metas = [
    { name: "position", encoding: "fixed", length: 2, components: 2, bytes: 2, lo: [10, -1], step: [0.5, 2] },
    { name: "id", encoding: "index", length: 3, components: 1 },
    { name: "shift", encoding: "byte", length: 1, components: 2 },
  ];
  // x: 1 and 258, y: 3 and 4; ids 5, 4, 4 as differences; shifts -1 and 2.
  const bytes = [1, 2, 0, 1, 3, 4, 0, 0, 5, 255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 255, 2];
  const first = decodeArrays(Uint8Array.from(bytes), metas, new Map());
  assert.deepEqual([...first.get("position").values], [10.5, 5, 139, 7]);
  assert.deepEqual([...first.get("id").values], [5, 4, 4]);
  assert.deepEqual([...first.get("shift").values], [-1, 2]);
  const moved = [{ ...metas[0], delta: true }, { name: "id", same: true }];
  const second = decodeArrays(Uint8Array.from([1, 255, 0, 255, 0, 0, 0, 0]), moved, first);
  assert.deepEqual([...second.get("position").values], [11, 5, 138.5, 7]);
  assert.equal(second.get("id"), first.get("id"));
  assert.throws(() => decodeArrays(new Uint8Array(3), metas, new Map()), /cut short/);
});

test("numbers are short and ticks are round", () => {
  assert.deepEqual([0, 0.1 + 0.2, 12345.678, 1e-7, 2.5e9, NaN].map((x) => short(x)), ["0", "0.3", "12350", "1e-7", "2.5e9", "none"]);
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticks(3, 3, 4), [3]);
  assert.deepEqual(ticks(15, 185, 3), [50, 100, 150], "one number alone says nothing of others");
  assert.deepEqual(logTicks(1, 30, 4), [1, 2, 5, 10, 20]);
  assert.deepEqual(logTicks(1e-3, 1e3, 4), [1e-3, 1e-1, 10, 1000]);
});

test("maps are whole, and even ones grow in lightness", () => {
  const lightness = (colors, k) => 0.2126 * colors[4 * k] + 0.7152 * colors[4 * k + 1] + 0.0722 * colors[4 * k + 2];
  for (const name of MAP_NAMES) assert.equal(mapColors(name).length, 4 * MAP_SIZE);
  for (const name of ["viridis", "cividis", "inferno", "grey"]) {
    const colors = mapColors(name);
    for (let k = 8; k < MAP_SIZE; k += 8) assert.ok(lightness(colors, k) > lightness(colors, k - 8), `${name} at ${k}`);
  }
  assert.ok(lightness(contactColors(true), 255) > lightness(contactColors(true), 0));
  assert.ok(lightness(contactColors(false), 255) < lightness(contactColors(false), 0));
});
