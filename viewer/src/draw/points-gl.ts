/** Draws points with WebGL2: one buffer each for positions, colours and styles, one draw call for each range of points. */
import type { Frame } from "../geometry/frame.ts";
import { type Look, type PointPainter, part, type Stretch } from "./points.ts";
import { OUTLINED } from "./points-canvas.ts";
import { pointFragment, pointVertex, toneFragment, toneVertex } from "./shaders.ts";

/** Maximum size of a point that represents others, in CSS pixels. */
const LARGEST_SKETCHED = 4;

type Uniforms = Record<string, WebGLUniformLocation | null>;

interface Program {
  program: WebGLProgram;
  at: Uniforms;
}

export class GlPoints implements PointPainter {
  readonly software: boolean;
  private readonly gl: WebGL2RenderingContext;
  private points!: Program;
  private tone!: Program;
  private array!: WebGLVertexArrayObject;
  private buffers!: { positions: WebGLBuffer; colors: WebGLBuffer; sizes: WebGLBuffer; layers: WebGLBuffer };
  private sums: { texture: WebGLTexture; target: WebGLFramebuffer } | null = null;
  private canSum = false;
  private lost = false;
  private positions = new Float32Array(0);
  private colors = new Uint8Array(0);
  private sizes = new Uint8Array(0);
  private layers = new Uint8Array(0);
  private ratio = 1;

  /** Null if the browser has no WebGL2. */
  static on(canvas: HTMLCanvasElement, restored: () => void): GlPoints | null {
    const gl = canvas.getContext("webgl2", {
      alpha: true,
      antialias: false,
      depth: false,
      premultipliedAlpha: true,
      // A frame with many points is drawn in several steps, each on top of the last one.
      preserveDrawingBuffer: true,
    });
    return gl && new GlPoints(gl, canvas, restored);
  }

  private constructor(
    gl: WebGL2RenderingContext,
    private readonly canvas: HTMLCanvasElement,
    restored: () => void,
  ) {
    this.gl = gl;
    const names = gl.getExtension("WEBGL_debug_renderer_info");
    this.software = /swiftshader|llvmpipe|software/i.test(
      String(names && gl.getParameter(names.UNMASKED_RENDERER_WEBGL)),
    );
    this.start();
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.start();
      this.upload("positions", "colors", "sizes", "layers");
      restored();
    });
  }

  /** Creates all objects that are lost together with the context. */
  private start(): void {
    const { gl } = this;
    this.canSum =
      gl.getExtension("EXT_color_buffer_float") !== null || gl.getExtension("EXT_color_buffer_half_float") !== null;
    this.points = build(gl, pointVertex, pointFragment);
    this.tone = build(gl, toneVertex, toneFragment);
    this.sums = null;
    this.array = gl.createVertexArray()!;
    this.buffers = {
      positions: gl.createBuffer()!,
      colors: gl.createBuffer()!,
      sizes: gl.createBuffer()!,
      layers: gl.createBuffer()!,
    };
    gl.bindVertexArray(this.array);
    const attribute = (buffer: WebGLBuffer, place: number, size: number, type: number) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, type === gl.UNSIGNED_BYTE, 0, 0);
    };
    attribute(this.buffers.positions, 0, 3, gl.FLOAT);
    attribute(this.buffers.colors, 1, 3, gl.UNSIGNED_BYTE);
    attribute(this.buffers.sizes, 2, 1, gl.UNSIGNED_BYTE);
    attribute(this.buffers.layers, 3, 1, gl.UNSIGNED_BYTE);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
  }

  private upload(...names: (keyof GlPoints["buffers"])[]): void {
    const { gl } = this;
    if (this.lost) return;
    for (const name of names) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, this[name], gl.DYNAMIC_DRAW);
    }
  }

  setPositions(positions: Float32Array): void {
    this.positions = positions as Float32Array<ArrayBuffer>;
    this.upload("positions");
  }

  setColors(colors: Uint8Array, sizes: Uint8Array): void {
    this.colors = colors as Uint8Array<ArrayBuffer>;
    this.sizes = sizes as Uint8Array<ArrayBuffer>;
    this.upload("colors", "sizes");
  }

  setLayers(layers: Uint8Array): void {
    this.layers = layers as Uint8Array<ArrayBuffer>;
    this.upload("layers");
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (this.canvas.width === w && this.canvas.height === h) return;
    this.canvas.width = w;
    this.canvas.height = h;
    if (this.sums) {
      this.gl.deleteFramebuffer(this.sums.target);
      this.gl.deleteTexture(this.sums.texture);
      this.sums = null;
    }
  }

  draw(frame: Frame, look: Look, stretches: readonly Stretch[], from: number, to: number): void {
    const { gl, ratio, canvas } = this;
    if (this.lost) return;
    const summing = look.knee !== null && !look.sketch && this.canSum;
    // A point that represents many others has the opacity of their density and their total area.
    const sketching = look.knee !== null && !summing;
    const opacity = summing ? 1 : sketching ? 1 / (1 + look.knee! * to) : 0.92;
    const pointSize = sketching
      ? Math.min(LARGEST_SKETCHED, look.pointSize / Math.sqrt(Math.max(to, 1e-6)))
      : look.pointSize;
    if (summing) this.sums ??= this.createSums();
    gl.bindFramebuffer(gl.FRAMEBUFFER, summing ? this.sums!.target : null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    if (from === 0) {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    gl.blendFunc(gl.ONE, summing ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    const { program, at } = this.points;
    gl.useProgram(program);
    gl.uniformMatrix3fv(at.rotation!, false, frame.rotation);
    gl.uniform2i(at.codes!, frame.from.code, frame.to.code);
    gl.uniform4f(
      at.places!,
      frame.fromScale * ratio,
      frame.scale * ratio,
      frame.centerX * ratio,
      frame.centerY * ratio,
    );
    gl.uniform2f(at.screen!, canvas.width, canvas.height);
    gl.uniform1f(at.morph!, frame.morph);
    gl.uniform1f(at.pointSize!, pointSize * ratio);
    gl.uniform1f(at.ghost!, look.ghost);
    const [r, g, b, a] = look.dark ? [8, 12, 20, 0.75] : [255, 255, 255, 0.9];
    gl.uniform4f(at.rim!, r / 255, g / 255, b / 255, a);
    gl.uniform1f(at.rimWidth!, ratio);
    gl.bindVertexArray(this.array);
    const layer = (which: number, opacity: number, start: number) => {
      gl.uniform1f(at.layer!, which);
      gl.uniform1f(at.opacity!, opacity);
      // Neither greyed points nor a density have outlines.
      gl.uniform1f(at.outlined!, which === 1 && look.knee === null ? OUTLINED * ratio : 1e9);
      gl.uniform4f(at.grey!, look.grey[0] / 255, look.grey[1] / 255, look.grey[2] / 255, which === 0 ? 1 : 0);
      for (const stretch of stretches) {
        const [first, end] = part(stretch, start, to);
        if (end > first) gl.drawArrays(gl.POINTS, first, end - first);
      }
    };
    if (look.layered) layer(0, summing ? 0.12 : 0.35, from);
    // Highlighted points are above greyed ones, also above those that are drawn later.
    layer(1, opacity, look.layered && !summing ? 0 : from);
    if (summing) this.map(to, look);
  }

  /** Tone-maps the density that was summed so far, as if all points had been drawn. */
  private map(share: number, look: Look): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.tone.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.sums!.texture);
    gl.uniform1i(this.tone.at.sums!, 0);
    gl.uniform1f(this.tone.at.gain!, 1 / Math.max(1e-6, share));
    gl.uniform1f(this.tone.at.knee!, look.knee!);
    gl.uniform1f(this.tone.at.glow!, look.dark ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private createSums(): { texture: WebGLTexture; target: WebGLFramebuffer } {
    const { gl, canvas } = this;
    const texture = gl.createTexture()!;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, canvas.width, canvas.height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const target = gl.createFramebuffer()!;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    return { texture, target };
  }

  finish(): void {
    if (this.lost) return;
    // In browsers, gl.finish() returns immediately; reading a pixel waits for the result.
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, null);
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  dispose(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

function build(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const program = gl.createProgram()!;
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const at: Uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) as number;
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveUniform(program, i)!.name;
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
