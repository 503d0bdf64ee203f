// Where the picture is taken from. Lengths are those of the scene, which is about one unit across.

import type { Vec3 } from "./page.ts";
import { type Mat4, type Quat, add, after, inverse, orthographic, perspective, rigid, rotate, scale, sub, turn } from "./math.ts";

/** Half of the angle that the picture takes in from top to bottom. */
const HALF_ANGLE = 0.3;
const MIN_DISTANCE = 1e-4;
const MAX_DISTANCE = 50;

/** How far before and behind the target the picture reaches. */
const DEPTH = 3;

/** The scene is a little above the middle of the view and seen from its front corner, z upwards. */
const START: Quat = after(turn([1, 0, 0], -1.22), turn([0, 0, 1], -0.62));

export type Side = "start" | "x" | "y" | "z" | "-x" | "-y" | "-z";

const SIDES: Record<Side, Quat> = {
  start: START,
  x: after(turn([1, 0, 0], -Math.PI / 2), turn([0, 0, 1], -Math.PI / 2)),
  "-x": after(turn([1, 0, 0], -Math.PI / 2), turn([0, 0, 1], Math.PI / 2)),
  y: after(turn([1, 0, 0], -Math.PI / 2), turn([0, 0, 1], Math.PI)),
  "-y": turn([1, 0, 0], -Math.PI / 2),
  z: [0, 0, 0, 1],
  "-z": turn([1, 0, 0], Math.PI),
};

/** Pixels of the picture that other things cover. */
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class Camera {
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  /** Turns the scene to how it is seen. */
  orientation: Quat;
  target: Vec3 = [0, 0, 0];
  distance = 1;
  isPerspective: boolean;
  /** Width over height, and pixels of the height, of the picture. */
  aspect = 1;
  height = 1;

  constructor(
    readonly isFlat: boolean,
    private readonly size: Vec3,
  ) {
    this.isPerspective = !isFlat;
    this.orientation = isFlat ? SIDES.z : START;
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    this.height = height;
  }

  /** All of the scene in the picture, seen from a side; `insets` is covered by other things. */
  fit(side: Side = "start", insets: Insets = this.insets): void {
    this.insets = insets;
    this.orientation = this.isFlat ? SIDES.z : SIDES[side];
    this.target = [0, 0, 0];
    const [width, height] = [this.aspect * this.height, this.height];
    const free = { x: Math.max(1, width - insets.left - insets.right), y: Math.max(1, height - insets.top - insets.bottom) };
    const slope = Math.tan(HALF_ANGLE);
    // Far enough for every corner of the bounding box.
    this.distance = 1e-3;
    for (let corner = 0; corner < 8; corner++) {
      const sign = (bit: number): number => ((corner >> bit) & 1 ? 0.5 : -0.5);
      const [x, y, z] = rotate(this.orientation, [sign(0) * this.size[0], sign(1) * this.size[1], sign(2) * this.size[2]]);
      const half = Math.max((Math.abs(y) * height) / free.y, (Math.abs(x) * height) / free.x) * 1.04;
      this.distance = Math.max(this.distance, half / slope + (this.isPerspective ? z : 0));
    }
    this.pan((insets.left - insets.right) / 2, (insets.top - insets.bottom) / 2);
  }

  /** Half of the height that is seen at the target. */
  get halfHeight(): number {
    return this.distance * Math.tan(HALF_ANGLE);
  }

  /** Length of a pixel at the target. */
  get pixel(): number {
    return (2 * this.halfHeight) / this.height;
  }

  /** Pixels across that a sphere of this radius has where it is nearest. */
  largestInPixels(radius: number): number {
    if (!this.isPerspective) return (2 * radius) / this.pixel;
    const reach = Math.hypot(...this.size) / 2 + Math.hypot(...this.target);
    const nearest = this.distance - reach;
    return nearest > 0 ? (2 * radius * this.distance) / (nearest * this.pixel) : Infinity;
  }

  orbit(dx: number, dy: number): void {
    if (this.isFlat) return;
    // Left and right turn about the scene's own vertical, up and down about the picture's horizontal.
    this.orientation = after(turn([1, 0, 0], dy), after(this.orientation, turn([0, 0, 1], dx)));
  }

  /** Perspective or parallel; the plane is always parallel. */
  toggleProjection(): void {
    this.isPerspective = !this.isPerspective && !this.isFlat;
  }

  roll(angle: number): void {
    if (!this.isFlat) this.orientation = after(turn([0, 0, 1], angle), this.orientation);
  }

  /** Moves the scene by so many pixels. */
  pan(dx: number, dy: number): void {
    const shift = rotate(inverse(this.orientation), [-dx * this.pixel, dy * this.pixel, 0]);
    this.target = add(this.target, shift);
  }

  /** Nearer by a factor; what is at a point of the picture, in pixels from its middle, stays there. */
  zoom(factor: number, dx = 0, dy = 0): void {
    const distance = Math.min(MAX_DISTANCE, Math.max(MIN_DISTANCE, this.distance / factor));
    const stays = 1 - distance / this.distance;
    this.pan(-dx * stays, -dy * stays);
    this.distance = distance;
  }

  view(): Mat4 {
    const shift = rotate(this.orientation, scale(this.target, -1));
    return rigid(this.orientation, [shift[0], shift[1], shift[2] - this.distance]);
  }

  projection(): Mat4 {
    const [near, far] = [this.distance - DEPTH, this.distance + DEPTH];
    return this.isPerspective
      ? perspective(HALF_ANGLE, this.aspect, Math.max(near, this.distance * 0.02), far)
      : orthographic(this.halfHeight, this.aspect, near, far);
  }

  /** The ray through a point of the picture, in pixels from its middle: where it starts, and its direction, in the scene. */
  ray(dx: number, dy: number): { origin: Vec3; direction: Vec3 } {
    const [x, y] = [dx * this.pixel, -dy * this.pixel];
    const back = inverse(this.orientation);
    const toScene = (p: Vec3): Vec3 => add(this.target, rotate(back, [p[0], p[1], p[2] + this.distance]));
    if (!this.isPerspective) return { origin: toScene([x, y, DEPTH]), direction: rotate(back, [0, 0, -1]) };
    const origin = toScene([0, 0, 0]);
    const through = toScene([x, y, -this.distance]);
    const d = sub(through, origin);
    const length = Math.hypot(...d);
    return { origin, direction: scale(d, 1 / length) };
  }

  /** The direction towards the viewer, in the scene. */
  towardsViewer(): Vec3 {
    return rotate(inverse(this.orientation), [0, 0, 1]);
  }
}
