// The bar that says what colors mean: on the page, and in pictures of it.

import { logTicks, short, ticks } from "./format.ts";
import { MAP_SIZE } from "./maps.ts";
import type { ColorRange } from "./draw/look.ts";

export interface Bar {
  title: string;
  /** Four bytes for each color of the map. */
  colors: Uint8Array;
  range: ColorRange;
}

/** Height of a bar with its title and numbers, in pixels of the page. */
export const BAR_HEIGHT = 46;
/** How far it reaches to the right. */
export const BAR_COLUMN = 244;
const THICKNESS = 12;
const TITLE = 15;
/** Pixels between the numbers at the ends and the next ones. */
const ROOM = 62;

/** Draws a bar, `width` wide, with its upper left corner here. */
export function drawBar(g: CanvasRenderingContext2D, bar: Bar, x: number, y: number, width: number, ink: string): void {
  g.fillStyle = ink;
  g.font = "12px system-ui, sans-serif";
  g.textBaseline = "alphabetic";
  g.textAlign = "left";
  g.fillText(bar.title, x, y + 11, width);
  const { lo, hi, isKinds, isLogarithmic } = bar.range;
  if (isKinds) {
    drawKinds(g, bar, x, y + TITLE, width, ink);
    return;
  }
  const { colors } = bar;
  for (let k = 0; k < width; k++) {
    const share = k / Math.max(1, width - 1);
    const entry = 4 * Math.round(share * (MAP_SIZE - 1));
    g.fillStyle = `rgb(${colors[entry]},${colors[entry + 1]},${colors[entry + 2]})`;
    g.fillRect(x + k, y + TITLE, 1.5, THICKNESS);
  }
  g.fillStyle = ink;
  g.font = "11px system-ui, sans-serif";
  const place = (value: number): number => (isLogarithmic ? Math.log(value / lo) / Math.log(hi / lo) : (value - lo) / (hi - lo));
  // Both ends are shown; round numbers between them where there is room.
  const round = !(hi > lo) ? [] : isLogarithmic ? logTicks(lo, hi, 4) : ticks(lo, hi, 4);
  const hasRoom = (value: number): boolean => place(value) * width > ROOM && (1 - place(value)) * width > ROOM;
  const marks = hi > lo ? [lo, ...round.filter(hasRoom), hi] : [lo];
  for (const value of marks) {
    const at = x + (hi > lo ? place(value) : 0.5) * width;
    g.fillRect(at - 0.5, y + TITLE + THICKNESS, 1, 4);
    g.textAlign = at < x + 14 ? "left" : at > x + width - 14 ? "right" : "center";
    g.fillText(short(value, 3), at, y + TITLE + THICKNESS + 15);
  }
}

/** Kinds: a square and a number each. */
function drawKinds(g: CanvasRenderingContext2D, bar: Bar, x: number, y: number, width: number, ink: string): void {
  const { colors } = bar;
  const [first, last] = [Math.floor(bar.range.lo), Math.floor(bar.range.hi)];
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "left";
  for (let kind = first, at = x; kind <= last && at < x + width - 20; kind++, at += 34) {
    const entry = 4 * (((kind % MAP_SIZE) + MAP_SIZE) % MAP_SIZE);
    g.fillStyle = `rgb(${colors[entry]},${colors[entry + 1]},${colors[entry + 2]})`;
    g.fillRect(at, y + 2, 12, 12);
    g.fillStyle = ink;
    g.fillText(String(kind), at + 15, y + 12);
  }
}
