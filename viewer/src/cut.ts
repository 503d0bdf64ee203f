// The plane that cuts the scene open.

import type { Camera } from "./camera.ts";
import { rotate } from "./math.ts";
import type { Vec3 } from "./page.ts";
import type { Scene } from "./scene.ts";
import type { Settings } from "./settings.ts";

export interface Plane {
  /** What has a larger product with the normal than the offset is cut away. */
  normal: Vec3;
  offset: number;
}

/** The plane of the settings in the scene; nothing if there is none. */
export function cutPlane(settings: Settings, scene: Scene, camera: Camera): Plane | null {
  if (settings.cutAxis === "none" || scene.isFlat) return null;
  const axis = { x: 0, y: 1, z: 2, view: 3 }[settings.cutAxis];
  const flip = settings.isCutFlipped ? -1 : 1;
  const normal: Vec3 = axis === 3 ? camera.towardsViewer() : ([0, 1, 2].map((k) => (k === axis ? 1 : 0)) as Vec3);
  const length = scene.size.reduce((sum, size, k) => sum + Math.abs(normal[k]) * size, 0);
  const place = (settings.cutPlace - 0.5) * length;
  return { normal: normal.map((x) => flip * x) as Vec3, offset: flip * place };
}

/** The plane as the camera sees it, for shaders. */
export function seenPlane(plane: Plane | null, camera: Camera): [number, number, number, number] {
  if (plane === null) return [0, 0, 0, 1];
  const normal = rotate(camera.orientation, plane.normal);
  const target = camera.target.reduce((sum, x, k) => sum + x * plane.normal[k], 0);
  // Seen from the camera, the target is `distance` along -z.
  return [...normal, plane.offset - target - normal[2] * camera.distance];
}
