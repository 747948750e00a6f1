/** Draws similarities as arcs above the points, bundled by clusters, with WebGL2: one instance of a strip for each arc. */
import type { Pairs } from "../ask/strongest.ts";
import type { Frame } from "../geometry/frame.ts";
import { build, type Program, project } from "./program-gl.ts";
import { arcFragment, arcVertex } from "./shaders.ts";

/** Arcs up to this angle have few segments; most arcs are short. */
const SHORT = 0.35;
const SEGMENTS = [6, 28] as const;
/** So many arcs are drawn while the map turns without a graphics card. */
const MOST_SKETCHED = 1500;
/** Of more arcs than this, each is fainter. */
const CLEAR = 600;

interface Group {
  segments: number;
  count: number;
  array: WebGLVertexArrayObject;
  buffers: WebGLBuffer[];
}

/** Where items are, three bytes of colour for each, and the centres of their clusters, if edges are to be bundled. */
export interface ArcSource {
  positions: Float32Array;
  colors: Uint8Array;
  sphere: boolean;
  middles: Float32Array | null;
}

export class Arcs {
  private program!: Program;
  private groups: Group[] = [];
  private pairs: Pairs | null = null;
  private source: ArcSource | null = null;
  private ratio = 1;
  private lost = false;

  /** Null if the browser has no WebGL2. */
  static on(canvas: HTMLCanvasElement, software: boolean, restored: () => void): Arcs | null {
    const gl = canvas.getContext("webgl2", {
      alpha: true,
      antialias: true,
      depth: false,
      premultipliedAlpha: true,
      preserveDrawingBuffer: true,
    });
    return gl && new Arcs(gl, canvas, software, restored);
  }

  private constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly canvas: HTMLCanvasElement,
    private readonly software: boolean,
    restored: () => void,
  ) {
    this.program = build(gl, arcVertex, arcFragment);
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.program = build(gl, arcVertex, arcFragment);
      this.groups = [];
      if (this.pairs && this.source) this.load(this.pairs, this.source);
      restored();
    });
  }

  load(pairs: Pairs, source: ArcSource): void {
    this.pairs = pairs;
    this.source = source;
    if (this.lost) return;
    const { gl } = this;
    for (const group of this.groups) {
      gl.deleteVertexArray(group.array);
      for (const buffer of group.buffers) gl.deleteBuffer(buffer);
    }
    const short: number[] = [];
    const long: number[] = [];
    const { positions } = source;
    const nearness = Math.cos(SHORT);
    for (let p = 0; p < pairs.strengths.length; p++) {
      const [a, b] = [3 * pairs.items[2 * p]!, 3 * pairs.items[2 * p + 1]!];
      const dot =
        positions[a]! * positions[b]! + positions[a + 1]! * positions[b + 1]! + positions[a + 2]! * positions[b + 2]!;
      (!source.sphere || dot > nearness ? short : long).push(p);
    }
    this.groups = [short, long].map((list, place) => this.group(list, SEGMENTS[place]!));
  }

  private group(list: readonly number[], segments: number): Group {
    const { gl } = this;
    const { items, strengths } = this.pairs!;
    const { positions, colors, middles, sphere } = this.source!;
    const ends = new Float32Array(6 * list.length);
    // Short edges are clear enough, and have too few segments for a bend.
    const ways = new Float32Array(6 * list.length);
    const bundled = middles && sphere && segments > SEGMENTS[0];
    const looks = new Uint8Array(8 * list.length);
    list.forEach((p, place) => {
      for (let end = 0; end < 2; end++) {
        const item = items[2 * p + end]!;
        ends.set(positions.subarray(3 * item, 3 * item + 3), 6 * place + 3 * end);
        looks.set(colors.subarray(3 * item, 3 * item + 3), 8 * place + 4 * end);
        looks[8 * place + 4 * end + 3] = strengths[p]!;
      }
      if (!bundled) return;
      const [a, b] = [3 * items[2 * p]!, 3 * items[2 * p + 1]!];
      const [from, to] = [middles.subarray(a, a + 3), middles.subarray(b, b + 3)];
      // Within a cluster, they stay 0.
      if (from.some((x, k) => x !== to[k])) {
        ways.set(from, 6 * place);
        ways.set(to, 6 * place + 3);
      }
    });
    const array = gl.createVertexArray()!;
    gl.bindVertexArray(array);
    const attribute = (data: Float32Array | Uint8Array, size: number, type: number, first: number) => {
      const buffer = gl.createBuffer()!;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data as Float32Array<ArrayBuffer>, gl.STATIC_DRAW);
      const bytes = type === gl.FLOAT ? 4 : 1;
      for (let end = 0; end < 2; end++) {
        gl.enableVertexAttribArray(first + end);
        gl.vertexAttribPointer(first + end, size, type, bytes === 1, 2 * size * bytes, end * size * bytes);
        gl.vertexAttribDivisor(first + end, 1);
      }
      return buffer;
    };
    const buffers = [
      attribute(ends, 3, gl.FLOAT, 0),
      attribute(looks, 4, gl.UNSIGNED_BYTE, 2),
      attribute(ways, 3, gl.FLOAT, 4),
    ];
    return { segments, count: list.length, array, buffers };
  }

  get count(): number {
    return this.pairs?.strengths.length ?? 0;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  /** The share of the arcs that a frame of a movement may have. */
  get sketch(): number {
    return this.software ? Math.min(1, MOST_SKETCHED / Math.max(1, this.count)) : 1;
  }

  /** Draws the arcs from one share to another, the strongest first; clears the canvas first if it starts at 0. */
  draw(frame: Frame, from: number, to: number): void {
    const { gl, ratio, canvas } = this;
    if (this.lost) return;
    gl.viewport(0, 0, canvas.width, canvas.height);
    if (from === 0) {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const { at } = this.program;
    project(gl, this.program, frame, ratio);
    gl.uniform1f(at.ratio!, ratio);
    gl.uniform1f(at.halfMap!, frame.to.halfWidth * frame.scale * ratio);
    gl.uniform1i(at.curved!, this.source?.sphere ? 1 : 0);
    gl.uniform1f(at.lift!, frame.to.code <= 1 && frame.morph >= 1 ? 0.11 : 0);
    gl.uniform1f(at.opacity!, Math.max(0.1, Math.min(0.75, 0.75 * Math.sqrt(CLEAR / Math.max(1, this.count)))));
    for (const group of this.groups) {
      const [first, end] = [Math.round(group.count * from), Math.round(group.count * to)];
      if (end <= first) continue;
      gl.uniform1i(at.segments!, group.segments);
      gl.bindVertexArray(group.array);
      // WebGL2 has no first instance: the attributes begin further on.
      this.begin(group, first);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (group.segments + 1), end - first);
    }
  }

  private begin(group: Group, first: number): void {
    const { gl } = this;
    for (const [place, size, type, bytes] of [
      [0, 3, gl.FLOAT, 4],
      [1, 4, gl.UNSIGNED_BYTE, 1],
      [2, 3, gl.FLOAT, 4],
    ] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, group.buffers[place]!);
      const stride = 2 * size * bytes;
      for (let end = 0; end < 2; end++)
        gl.vertexAttribPointer(2 * place + end, size, type, bytes === 1, stride, first * stride + end * size * bytes);
    }
  }

  finish(): void {
    if (!this.lost) this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  dispose(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
