// Vectors, quaternions (x, y, z, w) and matrices by column, as little as the camera needs.

import type { Vec3 } from "./page.ts";

export type Quat = [number, number, number, number];
export type Mat4 = Float32Array;

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, by: number): Vec3 => [by * a[0], by * a[1], by * a[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const unit = (a: Vec3): Vec3 => scale(a, 1 / (norm(a) || 1));
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The turn by an angle about an axis of length one. */
export function turn(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [s * axis[0], s * axis[1], s * axis[2], Math.cos(angle / 2)];
}

/** First b, then a. */
export function after(a: Quat, b: Quat): Quat {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  const product: Quat = [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
  const length = Math.hypot(...product);
  return product.map((x) => x / length) as Quat;
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const axis: Vec3 = [q[0], q[1], q[2]];
  const t = scale(cross(axis, v), 2);
  return add(add(v, scale(t, q[3])), cross(axis, t));
}

export const inverse = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]];

/** Turns by q, then shifts. */
export function rigid(q: Quat, shift: Vec3): Mat4 {
  const [x, y, z] = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  return new Float32Array([...x, 0, ...y, 0, ...z, 0, ...shift, 1]);
}

export function perspective(halfAngle: number, aspect: number, near: number, far: number): Mat4 {
  const f = 1 / Math.tan(halfAngle);
  const d = near - far;
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, (2 * far * near) / d, 0]);
}

export function orthographic(halfHeight: number, aspect: number, near: number, far: number): Mat4 {
  const d = near - far;
  return new Float32Array([1 / (halfHeight * aspect), 0, 0, 0, 0, 1 / halfHeight, 0, 0, 0, 0, 2 / d, 0, 0, 0, (far + near) / d, 1]);
}
