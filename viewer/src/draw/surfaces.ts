// Plain triangles and lines of one color: walls, the box, edges.

import { type GL, Numbers, Program } from "../gl.ts";
import type { Look } from "./look.ts";

const VERTEX = `
layout(location = 0) in vec3 a_point;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_lift;
out vec3 v_point;
void main() {
  v_point = (u_view * vec4(a_point, 1.0)).xyz;
  gl_Position = u_projection * vec4(v_point, 1.0);
  gl_Position.z += u_lift * gl_Position.w;
}`;

const FRAGMENT = `
precision highp float;
in vec3 v_point;
uniform vec4 u_color;
uniform vec4 u_cut;
uniform float u_shaded;
out vec4 color;
void main() {
  if (dot(u_cut.xyz, v_point) > u_cut.w) discard;
  vec3 normal = normalize(cross(dFdx(v_point), dFdy(v_point)));
  float shade = u_shaded > 0.5 ? 0.55 + 0.45 * abs(normal.z) : 1.0;
  color = vec4(u_color.rgb * shade, u_color.a);
}`;

export interface Paint {
  color: [number, number, number];
  opacity: number;
  isShaded: boolean;
  isCut: boolean;
  /** Moves it towards the viewer (negative) or away. */
  lift: number;
}

export class Surfaces {
  private readonly program: Program;
  private readonly array: WebGLVertexArrayObject;
  private readonly points: Numbers;

  constructor(private readonly gl: GL) {
    this.program = new Program(gl, VERTEX, FRAGMENT);
    this.array = gl.createVertexArray();
    this.points = new Numbers(gl);
    gl.bindVertexArray(this.array);
    this.points.attribute(0, 3, 0);
    gl.bindVertexArray(null);
  }

  triangles(points: Float32Array, paint: Paint, look: Look): void {
    this.draw(this.gl.TRIANGLES, points, paint, look);
  }

  lines(points: Float32Array, paint: Paint, look: Look): void {
    this.draw(this.gl.LINES, points, paint, look);
  }

  private draw(mode: number, points: Float32Array, paint: Paint, look: Look): void {
    const { gl, program } = this;
    if (points.length === 0) return;
    this.points.send(points);
    program.use();
    program.matrix("u_view", look.view);
    program.matrix("u_projection", look.projection);
    program.floats("u_color", [...paint.color, paint.opacity]);
    program.float("u_shaded", paint.isShaded ? 1 : 0);
    program.float("u_lift", paint.lift);
    program.floats("u_cut", paint.isCut ? look.cut : [0, 0, 0, 1]);
    const isClear = paint.opacity < 1;
    if (isClear) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
    }
    gl.bindVertexArray(this.array);
    gl.drawArrays(mode, 0, points.length / 3);
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  }
}
