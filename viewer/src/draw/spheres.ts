// Spheres and discs: a square towards the viewer for each, in which the sphere is found by its ray. No meshes, so that a
// sphere costs twenty bytes and is round at any distance. The squares are not instances but corners that look up their
// sphere: so many small instances are slow on most graphics cards, and very slow without one.

import { COLOR_OF, type GL, Lookup, Program, ROW } from "../gl.ts";
import type { Frame } from "../scene.ts";
import { type Look, setColors } from "./look.ts";

/** How much longer than wide spheres may look. */
const STRETCH = "1.3";

/** The program for squares, or for points, which cost a sixth but may not be large. */
const vertex = (isPoints: boolean): string => `
uniform highp sampler2D u_centers;
uniform highp sampler2D u_radii;
uniform highp sampler2D u_values;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_perspective;
uniform float u_scale;
uniform vec2 u_sizes;
uniform int u_selected;
uniform float u_pixel;
uniform float u_flat;
out vec3 v_point;
flat out vec3 v_center;
flat out float v_radius;
flat out float v_value;
flat out float v_selected;
void main() {
  // Two triangles each, or one point.
  int grain = gl_VertexID / ${isPoints ? 1 : 6};
  int corner = gl_VertexID - 6 * grain;
  corner = corner < 3 ? corner : 6 - corner;
  vec2 a_corner = vec2((corner & 1) == 0 ? -1.0 : 1.0, corner < 2 ? -1.0 : 1.0);
  ivec2 at = ivec2(grain % ${ROW}, grain / ${ROW});
  float a_radius = texelFetch(u_radii, at, 0).r;
  float radius = a_radius * u_scale;
  vec3 center = (u_view * vec4(texelFetch(u_centers, at, 0).rgb, 1.0)).xyz;
  v_center = center;
  v_value = texelFetch(u_values, at, 0).r;
  v_selected = grain == u_selected ? 1.0 : 0.0;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  float far = length(center);
  if (a_radius < u_sizes.x || a_radius > u_sizes.y) return;
  // What is smaller than a pixel is drawn as large as one: many of them still are a surface.
  float seen = u_perspective > 0.5 ? u_pixel * -center.z : u_pixel;
  radius = max(radius, 0.6 * seen);
  v_radius = radius;
  if (u_perspective > 0.5 && (far <= radius || center.z > 0.0)) return;
  vec3 towards = u_perspective > 0.5 ? -center / far : vec3(0.0, 0.0, 1.0);
  vec3 side = normalize(cross(vec3(0.0, 1.0, 0.0), towards));
  vec3 up = cross(towards, side);
  // The square stands at the sphere's nearest point and covers its outline as seen from the eye.
  float half_size = u_perspective > 0.5 ? (far - radius) * radius / sqrt(far * far - radius * radius) : radius;
  // Away from the middle of the picture a sphere looks longer than it is wide.
  ${isPoints ? `gl_PointSize = 2.0 * ${STRETCH} * radius / seen + 1.0;\n  half_size = 0.0;` : ""}
  v_point = center + towards * radius + (side * a_corner.x + up * a_corner.y) * half_size;
  gl_Position = u_projection * vec4(v_point, 1.0);
  // Discs all lie in one plane; their squares must not be behind it.
  if (u_flat > 0.5) gl_Position.z = -0.9 * gl_Position.w;
}`;

const fragment = (extension: boolean, isPoints: boolean): string => `${extension ? "#extension GL_EXT_conservative_depth : enable\n" : ""}
precision highp float;
precision highp int;
in vec3 v_point;
flat in vec3 v_center;
flat in float v_radius;
flat in float v_value;
flat in float v_selected;
uniform mat4 u_projection;
uniform float u_perspective;
uniform float u_flat;
uniform vec4 u_cut;
uniform vec3 u_ring;
uniform float u_pixel;
uniform vec3 u_light;
uniform vec4 u_fade;
uniform vec2 u_window;
${extension ? "layout(depth_greater) out highp float gl_FragDepth;" : ""}
out vec4 color;
${COLOR_OF}
void main() {
  vec3 base = mix(colorOf(v_value), u_fade.rgb, u_fade.a);
  // Where this pixel looks: at distance one, or of a parallel view.
  vec3 seen = ${isPoints ? "vec3((gl_FragCoord.xy - 0.5 * u_window.xy) * u_pixel, -1.0)" : "v_point"};
  vec3 origin = u_perspective > 0.5 ? vec3(0.0) : vec3(seen.xy, 0.0);
  vec3 ray = u_perspective > 0.5 ? normalize(seen) : vec3(0.0, 0.0, -1.0);
  vec3 away = v_center - origin;
  float along = dot(away, ray);
  vec3 nearest = away - along * ray;
  float inside = v_radius * v_radius - dot(nearest, nearest);
  if (inside < 0.0) discard;
  float rim = sqrt(1.0 - inside / (v_radius * v_radius));
  float pixel = u_perspective > 0.5 ? u_pixel * along : u_pixel;
  // At its outline a sphere covers a part of the pixel, unless it is as small as one.
  float thinnest = v_radius > pixel ? 0.0 : 1.0;
  if (u_flat > 0.5) {
    float edge = v_radius * (1.0 - rim);
    float width = (v_selected > 0.5 ? 3.0 : 1.0) * pixel;
    float line = v_radius > 3.0 * pixel || v_selected > 0.5 ? 1.0 - smoothstep(0.6 * width, width, edge) : 0.0;
    color = vec4(mix(base, v_selected > 0.5 ? u_ring : base * mix(0.35, 0.9, u_fade.a), line), clamp(edge / pixel, thinnest, 1.0));
    gl_FragDepth = v_selected > 0.5 ? 0.48 : 0.5;
    return;
  }
  float half_chord = sqrt(inside);
  float hit = along - half_chord;
  vec3 point = origin + hit * ray;
  vec3 normal = (point - v_center) / v_radius;
  float is_section = 0.0;
  if (dot(u_cut.xyz, point) > u_cut.w) {
    // The near side is cut away: what is seen is the section, or nothing.
    float slope = dot(u_cut.xyz, ray);
    if (slope >= 0.0) discard;
    hit = (u_cut.w - dot(u_cut.xyz, origin)) / slope;
    if (hit > along + half_chord) discard;
    point = origin + hit * ray;
    normal = u_cut.xyz;
    is_section = 1.0;
  }
  float diffuse = max(dot(normal, u_light), 0.0);
  float shade = mix(0.34 + 0.72 * diffuse, 0.92, is_section);
  vec3 lit = base * shade + vec3(0.10) * pow(max(dot(reflect(-u_light, normal), -ray), 0.0), 24.0) * (1.0 - is_section);
  // A dark rim, about a pixel wide at least, tells grains of one color apart.
  if (is_section < 0.5) {
    float width = max(1.4 * pixel / v_radius, 0.02);
    lit *= mix(1.0, 0.45, v_radius > 3.0 * pixel ? smoothstep(1.0 - 1.5 * width, 1.0, rim) : 0.0);
  } else {
    float disc = sqrt(max(v_radius * v_radius - pow(dot(v_center, u_cut.xyz) - u_cut.w, 2.0), 0.0));
    float section_rim = disc - length((point - v_center) - u_cut.xyz * dot(point - v_center, u_cut.xyz));
    lit *= disc > 3.0 * pixel ? mix(0.45, 1.0, smoothstep(0.0, 1.6 * pixel, section_rim)) : 1.0;
  }
  if (v_selected > 0.5) lit = mix(lit, u_ring, max(smoothstep(0.78, 0.86, rim), 0.35));
  color = vec4(lit, clamp(v_radius * (1.0 - rim) / pixel, thinnest, 1.0));
  vec4 clip = u_projection * vec4(point, 1.0);
  gl_FragDepth = clip.z / clip.w * 0.5 + 0.5;
}`;

/** Texture units of what corners look up. */
const UNITS = { centers: 2, radii: 3, values: 4 };

/** Pixels of the largest sphere up to which all are drawn as points, and from how many on that is worth it. */
const MAX_POINT = 24;
const MANY = 20_000;

export class Spheres {
  private readonly squares: Program;
  private readonly points: Program;
  private readonly array: WebGLVertexArrayObject;
  private readonly centers: Lookup;
  private readonly radii: Lookup;
  private readonly values: Lookup;

  constructor(private readonly gl: GL) {
    // With it, spheres behind others are told by the square alone and cost next to nothing.
    const hasExtension = gl.getExtension("EXT_conservative_depth") !== null;
    this.squares = new Program(gl, vertex(false), fragment(hasExtension, false));
    this.points = new Program(gl, vertex(true), fragment(hasExtension, true));
    this.array = gl.createVertexArray();
    this.centers = new Lookup(gl, UNITS.centers, 3);
    this.radii = new Lookup(gl, UNITS.radii, 1);
    this.values = new Lookup(gl, UNITS.values, 1);
  }

  draw(frame: Frame, values: Float32Array, look: Look): void {
    const { gl } = this;
    if (frame.count === 0) return;
    const isPoints = frame.count > MANY && look.largestInPixels <= MAX_POINT;
    const program = isPoints ? this.points : this.squares;
    this.centers.send(frame.positions);
    this.radii.send(frame.radii);
    this.values.send(values);
    program.use();
    program.int("u_centers", UNITS.centers);
    program.int("u_radii", UNITS.radii);
    program.int("u_values", UNITS.values);
    setColors(program, look);
    program.matrix("u_view", look.view);
    program.matrix("u_projection", look.projection);
    program.float("u_perspective", look.isPerspective ? 1 : 0);
    program.float("u_pixel", look.pixel);
    program.float("u_scale", look.grainScale);
    program.floats("u_sizes", look.sizes);
    program.int("u_selected", look.selected);
    program.float("u_flat", look.isFlat ? 1 : 0);
    program.floats("u_cut", look.cut);
    program.floats("u_ring", look.ring);
    program.floats("u_light", look.light);
    program.floats("u_fade", look.fade);
    program.floats("u_window", look.resolution);
    gl.bindVertexArray(this.array);
    // Where the picture has several samples for each pixel, outlines are smooth.
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    if (isPoints) gl.drawArrays(gl.POINTS, 0, frame.count);
    else gl.drawArrays(gl.TRIANGLES, 0, 6 * frame.count);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.bindVertexArray(null);
  }
}
