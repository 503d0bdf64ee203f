// As much of WebGL2 as the drawings share.

export type GL = WebGL2RenderingContext;

/** A program and its uniforms by name. */
export class Program {
  readonly handle: WebGLProgram;
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();

  constructor(
    private readonly gl: GL,
    vertex: string,
    fragment: string,
  ) {
    this.handle = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(kind);
      if (shader === null) throw new Error("WebGL is not there any more");
      gl.shaderSource(shader, `#version 300 es\n${source}`);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(`shader: ${gl.getShaderInfoLog(shader) ?? ""}`);
      }
    }
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`program: ${gl.getProgramInfoLog(this.handle) ?? ""}`);
    }
  }

  use(): void {
    this.gl.useProgram(this.handle);
  }

  place(name: string): WebGLUniformLocation | null {
    let place = this.uniforms.get(name);
    if (place === undefined) this.uniforms.set(name, (place = this.gl.getUniformLocation(this.handle, name)));
    return place;
  }

  float(name: string, value: number): void {
    this.gl.uniform1f(this.place(name), value);
  }

  int(name: string, value: number): void {
    this.gl.uniform1i(this.place(name), value);
  }

  floats(name: string, values: ArrayLike<number>): void {
    const place = this.place(name);
    if (values.length === 2) this.gl.uniform2fv(place, Array.from(values));
    else if (values.length === 3) this.gl.uniform3fv(place, Array.from(values));
    else this.gl.uniform4fv(place, Array.from(values));
  }

  matrix(name: string, value: Float32Array): void {
    this.gl.uniformMatrix4fv(this.place(name), false, value);
  }
}

/** Numbers on the graphics card that are sent again only when they are other ones. */
export class Numbers {
  private readonly buffer: WebGLBuffer;
  private sent: Float32Array | null = null;
  private room = 0;

  constructor(private readonly gl: GL) {
    this.buffer = gl.createBuffer();
  }

  send(values: Float32Array): void {
    if (values === this.sent) return;
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    if (values.byteLength <= this.room) gl.bufferSubData(gl.ARRAY_BUFFER, 0, values);
    else gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    this.room = Math.max(this.room, values.byteLength);
    this.sent = values;
  }

  /** As attribute `place` of `size` numbers; once for each instance, or for each corner. */
  attribute(place: number, size: number, divisor: 0 | 1, stride = 0, offset = 0): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(place, divisor);
  }
}

/** Corners of a square as a strip of two triangles. */
export const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);

/** The color of a value: part of fragment shaders. */
export const COLOR_OF = `
uniform sampler2D u_map;
uniform vec4 u_range;
uniform vec3 u_none;
vec3 colorOf(float value) {
  if (isnan(value)) return u_none;
  float t = u_range.z > 0.5 ? (value > 0.0 ? log2(value) : -1e30) : value;
  float share = (t - u_range.x) * u_range.y;
  // Kinds: as many colors as the texture has, again and again.
  if (u_range.w > 0.5) return texelFetch(u_map, ivec2(int(mod(value, 256.0)), 0), 0).rgb;
  return texture(u_map, vec2((clamp(share, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}`;
