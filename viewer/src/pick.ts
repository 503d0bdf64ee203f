// Which grain is under a point of the picture: every grain is asked, which takes some milliseconds for a million.

import type { Camera } from "./camera.ts";
import { type Plane, cutPlane } from "./cut.ts";
import { dot } from "./math.ts";
import type { Vec3 } from "./page.ts";
import type { Frame, Scene } from "./scene.ts";
import type { Settings } from "./settings.ts";
import { shownSizes } from "./sizes.ts";

/** The grain at a point, in pixels from the middle of the picture; -1 for none. */
export function pick(dx: number, dy: number, settings: Settings, scene: Scene, camera: Camera): number {
  const frame = scene.frames[settings.frame];
  if (frame === undefined || !settings.showsGrains) return -1;
  const { origin, direction } = camera.ray(dx, dy);
  const sizes = shownSizes(settings, scene);
  if (scene.isFlat) return pickFlat(frame, origin, sizes, settings.grainScale);
  return pickSphere(frame, origin, direction, sizes, settings.grainScale, cutPlane(settings, scene, camera));
}

/** The last drawn disc or polygon that holds a point. */
function pickFlat(frame: Frame, [x, y]: Vec3, [smallest, largest]: [number, number], scale: number): number {
  let found = -1;
  for (let k = 0; k < frame.count; k++) {
    const radius = frame.radii[k];
    if (radius < smallest || radius > largest) continue;
    const [px, py] = [x - frame.positions[3 * k], y - frame.positions[3 * k + 1]];
    const reach = frame.polygons === null ? radius * scale : radius;
    if (px * px + py * py > reach * reach) continue;
    if (frame.polygons === null || isInside(frame, k, x, y)) found = k;
  }
  return found;
}

/** Whether a point is on the same side of all sides of a convex polygon. */
function isInside(frame: Frame, k: number, x: number, y: number): boolean {
  const polygons = frame.polygons;
  if (polygons === null) return false;
  const { starts, corners } = polygons;
  const count = starts[k + 1] - starts[k];
  let [left, right] = [false, false];
  for (let side = 0; side < count; side++) {
    const [a, b] = [3 * (starts[k] + side), 3 * (starts[k] + ((side + 1) % count))];
    const turn = (corners[b] - corners[a]) * (y - corners[a + 1]) - (corners[b + 1] - corners[a + 1]) * (x - corners[a]);
    if (turn > 0) left = true;
    if (turn < 0) right = true;
  }
  return !(left && right);
}

function pickSphere(
  frame: Frame,
  origin: Vec3,
  direction: Vec3,
  [smallest, largest]: [number, number],
  scale: number,
  plane: Plane | null,
): number {
  // Where the ray enters what the cut has left, if it does.
  const start = plane === null ? 0 : dot(plane.normal, origin) - plane.offset;
  const slope = plane === null ? 0 : dot(plane.normal, direction);
  let [found, nearest] = [-1, Infinity];
  for (let k = 0; k < frame.count; k++) {
    const radius = frame.radii[k];
    if (radius < smallest || radius > largest) continue;
    const reach = radius * scale;
    const x = frame.positions[3 * k] - origin[0];
    const y = frame.positions[3 * k + 1] - origin[1];
    const z = frame.positions[3 * k + 2] - origin[2];
    const along = x * direction[0] + y * direction[1] + z * direction[2];
    const inside = reach * reach - (x * x + y * y + z * z - along * along);
    if (inside < 0) continue;
    const half = Math.sqrt(inside);
    let hit = along - half;
    if (plane !== null && start + slope * hit > 0) {
      if (slope >= 0) continue;
      hit = -start / slope;
      if (hit > along + half) continue;
    }
    if (hit > 0 && hit < nearest) [found, nearest] = [k, hit];
  }
  return found;
}
