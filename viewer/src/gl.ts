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

/** Numbers of a row of a data texture: as many as every WebGL2 has, so that two thousand rows hold four million. */
export const ROW = 2048;

/** Numbers that shaders look up by index, sent again only when they are other ones. */
export class Lookup {
  private readonly texture: WebGLTexture;
  private sent: Float32Array | null = null;
  private rows = 0;

  /** `components` numbers for each index, one or three, in the texture unit `unit`. */
  constructor(
    private readonly gl: GL,
    private readonly unit: number,
    private readonly components: 1 | 3,
  ) {
    this.texture = gl.createTexture();
    this.bind();
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  bind(): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + this.unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }

  send(values: Float32Array): void {
    this.bind();
    if (values === this.sent) return;
    const { gl, components } = this;
    const [inner, format] = components === 1 ? [gl.R32F, gl.RED] : [gl.RGB32F, gl.RGB];
    const count = values.length / components;
    const whole = Math.floor(count / ROW);
    const rows = Math.max(1, Math.ceil(count / ROW));
    if (rows > this.rows) {
      if (rows > gl.getParameter(gl.MAX_TEXTURE_SIZE)) throw new Error("there are more particles than this graphics card can hold");
      gl.texImage2D(gl.TEXTURE_2D, 0, inner, ROW, rows, 0, format, gl.FLOAT, null);
      this.rows = rows;
    }
    if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, whole, format, gl.FLOAT, values.subarray(0, whole * ROW * components));
    const rest = count - whole * ROW;
    if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, gl.FLOAT, values.subarray(whole * ROW * components));
    this.sent = values;
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
