// Convex polygons in the plane: fans of triangles, and their outlines.

import { COLOR_OF, type GL, Numbers, Program } from "../gl.ts";
import type { Frame, Polygons as PolygonData } from "../scene.ts";
import { type Look, setColors } from "./look.ts";

const VERTEX = `
layout(location = 0) in vec4 a_corner;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_lift;
out float v_value;
void main() {
  v_value = a_corner.w;
  gl_Position = u_projection * u_view * vec4(a_corner.xyz, 1.0);
  gl_Position.z += u_lift * gl_Position.w;
}`;

const FRAGMENT = `
precision highp float;
in float v_value;
uniform float u_outline;
uniform vec3 u_line;
uniform vec4 u_fade;
out vec4 color;
${COLOR_OF}
void main() {
  vec3 base = mix(colorOf(v_value), u_fade.rgb, u_fade.a);
  color = vec4(u_outline > 1.5 ? u_line : u_outline > 0.5 ? base * mix(0.35, 0.9, u_fade.a) : base, 1.0);
}`;

/** Triangles and outlines of a frame in certain colors. */
interface Built {
  polygons: PolygonData;
  values: Float32Array;
  sizes: string;
  triangles: Float32Array;
  lines: Float32Array;
}

export class Polygons {
  private readonly program: Program;
  private readonly array: WebGLVertexArrayObject;
  private readonly corners: Numbers;
  private built: Built | null = null;

  constructor(private readonly gl: GL) {
    this.program = new Program(gl, VERTEX, FRAGMENT);
    this.array = gl.createVertexArray();
    this.corners = new Numbers(gl);
    gl.bindVertexArray(this.array);
    this.corners.attribute(0, 4, 0);
    gl.bindVertexArray(null);
  }

  draw(frame: Frame, polygons: PolygonData, values: Float32Array, look: Look): void {
    const sizes = look.sizes.join();
    if (this.built === null || this.built.polygons !== polygons || this.built.values !== values || this.built.sizes !== sizes) {
      this.built = build(frame, polygons, values, look.sizes, sizes);
    }
    const { gl, program } = this;
    program.use();
    setColors(program, look);
    program.matrix("u_view", look.view);
    program.matrix("u_projection", look.projection);
    program.floats("u_line", look.ring);
    program.floats("u_fade", look.fade);
    this.pass(gl.TRIANGLES, this.built.triangles, 0, 0);
    this.pass(gl.LINES, this.built.lines, 1, -0.01);
    if (look.selected >= 0 && look.selected < frame.count) {
      this.pass(gl.LINES, outline(polygons, look.selected, NaN), 2, -0.02);
    }
  }

  private pass(mode: number, corners: Float32Array, outlined: number, lift: number): void {
    const { gl, program } = this;
    if (corners.length === 0) return;
    this.corners.send(corners);
    program.float("u_outline", outlined);
    program.float("u_lift", lift);
    gl.bindVertexArray(this.array);
    gl.drawArrays(mode, 0, corners.length / 4);
    gl.bindVertexArray(null);
  }
}

function build(frame: Frame, polygons: PolygonData, values: Float32Array, range: [number, number], sizes: string): Built {
  const { starts, corners } = polygons;
  const triangles: number[] = [];
  const lines: number[] = [];
  for (let k = 0; k < frame.count; k++) {
    if (frame.radii[k] < range[0] || frame.radii[k] > range[1]) continue;
    const push = (corner: number): void => {
      triangles.push(corners[3 * corner], corners[3 * corner + 1], 0, values[k]);
    };
    for (let corner = starts[k] + 1; corner + 1 < starts[k + 1]; corner++) {
      push(starts[k]);
      push(corner);
      push(corner + 1);
    }
    lines.push(...outline(polygons, k, values[k]));
  }
  return { polygons, values, sizes, triangles: new Float32Array(triangles), lines: new Float32Array(lines) };
}

/** The outline of one polygon, two ends for each side. */
function outline({ starts, corners }: PolygonData, k: number, value: number): Float32Array {
  const count = starts[k + 1] - starts[k];
  const lines = new Float32Array(8 * count);
  for (let side = 0; side < count; side++) {
    for (const end of [0, 1]) {
      const corner = starts[k] + ((side + end) % count);
      lines.set([corners[3 * corner], corners[3 * corner + 1], 0, value], 8 * side + 4 * end);
    }
  }
  return lines;
}
