// Contacts as rods between centers, as thick and in the color of what they carry.

import { COLOR_OF, type GL, Numbers, Program, SQUARE } from "../gl.ts";
import type { Contacts as ContactData } from "../scene.ts";
import { type ColorRange, type Look, setColors } from "./look.ts";

const VERTEX = `
layout(location = 0) in vec2 a_corner;
layout(location = 1) in vec3 a_first;
layout(location = 2) in vec3 a_second;
layout(location = 3) in float a_value;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_perspective;
uniform float u_pixel;
uniform vec4 u_width;
out vec3 v_point;
out float v_across;
flat out float v_value;
void main() {
  vec3 a = (u_view * vec4(a_first, 1.0)).xyz;
  vec3 b = (u_view * vec4(a_second, 1.0)).xyz;
  vec3 along = b - a;
  vec3 here = a_corner.y < 0.0 ? a : b;
  vec3 eye = u_perspective > 0.5 ? -here : vec3(0.0, 0.0, 1.0);
  vec3 across = cross(along, eye);
  across = length(across) > 0.0 ? normalize(across) : vec3(1.0, 0.0, 0.0);
  float share = clamp((a_value - u_width.x) * u_width.y, 0.0, 1.0);
  float least = 0.55 * (u_perspective > 0.5 ? u_pixel * -here.z : u_pixel);
  float half_width = max(mix(0.1, 1.0, share) * u_width.z, least);
  v_point = here + across * a_corner.x * half_width;
  v_across = a_corner.x;
  v_value = a_value;
  gl_Position = u_projection * vec4(v_point, 1.0);
  // In the plane they lie on the discs.
  if (u_width.w > 0.5) gl_Position.z = -0.5 * gl_Position.w;
}`;

const FRAGMENT = `
precision highp float;
in vec3 v_point;
in float v_across;
flat in float v_value;
uniform vec4 u_cut;
uniform float u_flat;
out vec4 color;
${COLOR_OF}
void main() {
  if (u_flat < 0.5 && dot(u_cut.xyz, v_point) > u_cut.w) discard;
  float shade = u_flat > 0.5 ? 1.0 : 0.45 + 0.6 * sqrt(1.0 - v_across * v_across);
  color = vec4(colorOf(v_value) * shade, 1.0);
}`;

export class Contacts {
  private readonly program: Program;
  private readonly array: WebGLVertexArrayObject;
  private readonly ends: Numbers;
  private readonly values: Numbers;

  constructor(private readonly gl: GL) {
    this.program = new Program(gl, VERTEX, FRAGMENT);
    this.array = gl.createVertexArray();
    [this.ends, this.values] = [new Numbers(gl), new Numbers(gl)];
    gl.bindVertexArray(this.array);
    const corners = new Numbers(gl);
    corners.send(SQUARE);
    corners.attribute(0, 2, 0);
    this.ends.attribute(1, 3, 1, 24, 0);
    this.ends.attribute(2, 3, 1, 24, 12);
    this.values.attribute(3, 1, 1);
    gl.bindVertexArray(null);
  }

  /** `width`: half of the thickest rod. */
  draw(contacts: ContactData, range: ColorRange, width: number, look: Look): void {
    const { gl, program } = this;
    if (contacts.first.length === 0) return;
    this.ends.send(contacts.ends);
    this.values.send(contacts.values);
    program.use();
    setColors(program, look, range);
    program.matrix("u_view", look.view);
    program.matrix("u_projection", look.projection);
    program.float("u_perspective", look.isPerspective ? 1 : 0);
    program.float("u_pixel", look.pixel);
    const span = range.hi - range.lo;
    program.floats("u_width", [range.lo, span > 0 ? 1 / span : 0, width, look.isFlat ? 1 : 0]);
    program.float("u_flat", look.isFlat ? 1 : 0);
    program.floats("u_cut", look.cut);
    gl.bindVertexArray(this.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, contacts.first.length);
    gl.bindVertexArray(null);
  }
}
