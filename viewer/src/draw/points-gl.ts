/** Draws points with WebGL2: one buffer each for positions, colours and styles, one draw call for each range of points. */

import type { Land } from "../geometry/density.ts";
import type { Frame } from "../geometry/frame.ts";
import { type Look, type PointPainter, part, type Stretch } from "./points.ts";
import { OUTLINED } from "./points-canvas.ts";
import { build, type Program, project } from "./program-gl.ts";
import { copyFragment, landFragment, pointFragment, pointVertex, toneFragment, toneVertex } from "./shaders.ts";

/** Land in a sketch has this fraction of the resolution. */
const COARSE = 4;
/** Maximum size of a point that represents others, in CSS pixels. */
const LARGEST_SKETCHED = 4;

/** A picture that is not on the screen. */
interface Target {
  texture: WebGLTexture;
  target: WebGLFramebuffer;
}

export class GlPoints implements PointPainter {
  readonly software: boolean;
  private readonly gl: WebGL2RenderingContext;
  private points!: Program;
  private tone!: Program;
  private landProgram!: Program;
  private copy!: Program;
  private land: Land | null = null;
  private landTexture: WebGLTexture | null = null;
  private landPlace: (Target & { width: number; height: number }) | null = null;
  /** What the land was drawn for. */
  private landPicture: { key: string; land: Land } | null = null;
  private array!: WebGLVertexArrayObject;
  private buffers!: { positions: WebGLBuffer; colors: WebGLBuffer; sizes: WebGLBuffer; layers: WebGLBuffer };
  private sums: Target | null = null;
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
      this.setLand(this.land);
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
    this.landProgram = build(gl, toneVertex, landFragment);
    this.copy = build(gl, toneVertex, copyFragment);
    this.landTexture = null;
    this.landPlace = null;
    this.landPicture = null;
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

  setLand(land: Land | null): void {
    const { gl } = this;
    this.land = land;
    if (!land || this.lost) return;
    this.landTexture ??= gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.landTexture);
    // With eight bits, gentle coasts would have steps.
    const { width, height, data } = land;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, width, height, 0, gl.RGBA, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  /**
   * Draws the land below the points, on a canvas that has just been cleared. Without a graphics card that takes long: a
   * sketch has a quarter of the resolution, and a density of very many points has land only when it is complete.
   */
  private drawLand(frame: Frame, look: Look, share: number): void {
    const { gl, land, ratio, canvas } = this;
    // During a transition between projections no formula says what is under a pixel: the land fades in at its end.
    const opacity = (look.land?.opacity ?? 0) * Math.max(0, Math.min(1, 2.5 * frame.morph - 1.5));
    if (!look.land || !land || opacity <= 0 || frame.to.code === 5 || frame.to.code === 6) return;
    if (this.software && look.knee !== null && share < 1) return;
    const part = look.sketch ? 1 / COARSE : 1;
    const [width, height] = [Math.ceil(canvas.width * part), Math.ceil(canvas.height * part)];
    const scale = ratio * part;
    const key = [width, height, frame.to.code, frame.scale, frame.centerX, frame.centerY, opacity, look.dark]
      .concat(...frame.rotation)
      .join();
    if (this.landPicture?.key !== key || this.landPicture.land !== land) {
      const target = this.landTarget(width, height);
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const { program, at } = this.landProgram;
      gl.useProgram(program);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, this.landTexture);
      gl.uniform1i(at.land!, 0);
      gl.uniformMatrix3fv(at.rotation!, false, frame.rotation);
      gl.uniform1i(at.code!, frame.to.code);
      gl.uniform3f(at.place!, frame.scale * scale, frame.centerX * scale, frame.centerY * scale);
      gl.uniform1f(at.tall!, height);
      gl.uniform2f(at.steps!, land.steps[0], land.steps[1]);
      const { ink, paper, tint } = look.land;
      gl.uniform3f(at.ink!, ink[0] / 255, ink[1] / 255, ink[2] / 255);
      gl.uniform3f(at.paper!, paper[0] / 255, paper[1] / 255, paper[2] / 255);
      gl.uniform1f(at.tint!, tint);
      gl.uniform1f(at.opacity!, opacity);
      this.within(landBox(frame, scale, height));
      this.landPicture = { key, land };
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.useProgram(this.copy.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.landPlace!.texture);
    gl.uniform1i(this.copy.at.picture!, 0);
    gl.uniform2f(this.copy.at.pixel!, 1 / canvas.width, 1 / canvas.height);
    this.within(landBox(frame, ratio, canvas.height));
  }

  /** Draws the current program in a rectangle of the current target, without blending. */
  private within(box: [number, number, number, number]): void {
    const { gl } = this;
    gl.disable(gl.BLEND);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...box);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.SCISSOR_TEST);
    gl.enable(gl.BLEND);
  }

  /** Where the land is drawn before it comes to the canvas. */
  private landTarget(width: number, height: number): WebGLFramebuffer {
    const { gl } = this;
    if (this.landPlace?.width !== width || this.landPlace.height !== height) {
      if (this.landPlace) {
        gl.deleteFramebuffer(this.landPlace.target);
        gl.deleteTexture(this.landPlace.texture);
      }
      this.landPlace = { ...this.createTarget(gl.RGBA8, width, height, gl.LINEAR), width, height };
    }
    return this.landPlace.target;
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
    if (summing) this.sums ??= this.createTarget(gl.RGBA16F, canvas.width, canvas.height, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, summing ? this.sums!.target : null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    if (from === 0) {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (!summing) this.drawLand(frame, look, to);
    }
    gl.blendFunc(gl.ONE, summing ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    const { at } = this.points;
    project(gl, this.points, frame, ratio);
    gl.uniform1f(at.pointSize!, pointSize * ratio);
    gl.uniform1f(at.ghost!, look.ghost);
    const [r, g, b, a] = look.dark ? [8, 12, 20, 0.75] : [255, 255, 255, 0.9];
    gl.uniform4f(at.rim!, r / 255, g / 255, b / 255, a);
    gl.uniform1f(at.rimWidth!, look.knee === null ? ratio : 0);
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
    if (summing) this.map(frame, to, look);
  }

  /** Tone-maps the density that was summed so far, as if all points had been drawn. */
  private map(frame: Frame, share: number, look: Look): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.drawLand(frame, look, share);
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

  private createTarget(format: number, width: number, height: number, filter: number): Target {
    const { gl } = this;
    const texture = gl.createTexture()!;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
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

/** The rectangle of the map on the screen, in pixels from below. A full screen would take twice as long. */
function landBox(frame: Frame, scale: number, height: number): [number, number, number, number] {
  const [w, h] = [frame.scale * frame.to.halfWidth * scale, frame.scale * frame.to.halfHeight * scale];
  const [x, y] = [frame.centerX * scale, height - frame.centerY * scale];
  return [Math.floor(x - w), Math.floor(y - h), Math.ceil(2 * w) + 1, Math.ceil(2 * h) + 1];
}
