// What lies over the picture: bars of colors, axes, a scale.

import { BAR_HEIGHT, type Bar, drawBar } from "./colorbar.ts";
import type { Camera } from "./camera.ts";
import { short } from "./format.ts";
import { rotate } from "./math.ts";
import type { Vec3 } from "./page.ts";
import type { Scene } from "./scene.ts";

const MARGIN = 14;
const MAX_BAR = 230;
const AXIS_COLORS = ["#d1495b", "#3a9d5d", "#3f7fd1"];

export interface OverlayContent {
  bars: Bar[];
  /** Lines of text at the upper left, for pictures. */
  caption: string[];
  isDark: boolean;
  /** Pixels at the lower edge that are taken. */
  bottom: number;
}

/** Draws everything for a picture of this size in pixels of the page. */
export function drawOverlay(g: CanvasRenderingContext2D, width: number, height: number, scene: Scene, camera: Camera, content: OverlayContent): void {
  height -= content.bottom;
  const ink = content.isDark ? "#dfe2e8" : "#22252b";
  const barWidth = Math.min(MAX_BAR, width - 2 * MARGIN - 90);
  content.bars.forEach((bar, k) => drawBar(g, bar, MARGIN, height - (k + 1) * (BAR_HEIGHT + 4) - 2, barWidth, ink));
  drawScale(g, width, height, (camera.pixel * scene.unit * camera.height) / (height + content.bottom), ink);
  if (!scene.isFlat) drawAxes(g, width, height, camera);
  g.fillStyle = ink;
  g.textAlign = "left";
  g.font = "600 13px system-ui, sans-serif";
  content.caption.forEach((line, k) => {
    g.fillText(line, MARGIN, 22 + 17 * k);
    g.font = "12px system-ui, sans-serif";
  });
}

/** A length of a round number of units, where the target is. */
function drawScale(g: CanvasRenderingContext2D, width: number, height: number, unitsPerPixel: number, ink: string): void {
  const rough = 70 * unitsPerPixel;
  const power = 10 ** Math.floor(Math.log10(rough));
  const length = power * ([5, 2, 1].find((factor) => factor * power <= rough) ?? 1);
  const pixels = length / unitsPerPixel;
  const [right, y] = [width - MARGIN, height - MARGIN];
  g.strokeStyle = g.fillStyle = ink;
  g.lineWidth = 1.5;
  g.beginPath();
  g.moveTo(right - pixels, y - 4);
  g.lineTo(right - pixels, y);
  g.lineTo(right, y);
  g.lineTo(right, y - 4);
  g.stroke();
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "center";
  g.fillText(short(length), right - pixels / 2, y - 5);
}

function drawAxes(g: CanvasRenderingContext2D, width: number, height: number, camera: Camera): void {
  const middle = [width - MARGIN - 30, height - MARGIN - 52];
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec3[]).map((axis, k) => ({ end: rotate(camera.orientation, axis), k }));
  axes.sort((a, b) => a.end[2] - b.end[2]);
  g.lineWidth = 2;
  g.font = "600 11px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const { end, k } of axes) {
    g.strokeStyle = g.fillStyle = AXIS_COLORS[k];
    g.beginPath();
    g.moveTo(middle[0], middle[1]);
    g.lineTo(middle[0] + 20 * end[0], middle[1] - 20 * end[1]);
    g.stroke();
    g.fillText("xyz"[k], middle[0] + 28 * end[0], middle[1] - 28 * end[1]);
  }
  g.textBaseline = "alphabetic";
}
