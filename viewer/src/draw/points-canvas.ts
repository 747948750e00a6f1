/** Draws points on a 2D canvas, for browsers without WebGL2: the same picture, but slower. */
import { css, type Rgb } from "../color/palette.ts";
import type { Frame } from "../geometry/frame.ts";
import { type Look, type PointPainter, part, type Stretch } from "./points.ts";
import type { ShapeStyle } from "./surface.ts";

/** Points from this diameter on have an outline, so that neighbours do not merge; in pixels. The shader has the same. */
export const OUTLINED = 5;

/** The circle of one point: its radius and style, by its side (`near`), its size and its colour. Draws nothing if it is hidden. */
export function drawPoint(
  look: Look,
  highlighted: boolean,
  near: number,
  size: number,
  color: Rgb,
  circle: (radius: number, style: ShapeStyle) => void,
): void {
  const alpha = near > 0 ? (highlighted ? 0.92 : 0.35) * (0.25 + 0.75 * Math.min(1, near / 0.4)) : look.ghost;
  if (alpha <= 0) return;
  const outlined = highlighted && size >= OUTLINED && near > 0;
  circle(Math.max(1, size) / 2 - (outlined ? 0.5 : 0), {
    fill: css(highlighted ? color : look.grey, Number(alpha.toFixed(2))),
    stroke: outlined ? (look.dark ? "rgba(8,12,20,0.75)" : "rgba(255,255,255,0.9)") : undefined,
    width: 1,
  });
}

export class CanvasPoints implements PointPainter {
  readonly software = true;
  private readonly context: CanvasRenderingContext2D;
  private positions = new Float32Array(0);
  private colors = new Uint8Array(0);
  private sizes = new Uint8Array(0);
  private layers = new Uint8Array(0);
  private ratio = 1;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { willReadFrequently: true })!;
  }

  setPositions(positions: Float32Array): void {
    this.positions = positions as Float32Array<ArrayBuffer>;
  }

  setColors(colors: Uint8Array, sizes: Uint8Array): void {
    this.colors = colors as Uint8Array<ArrayBuffer>;
    this.sizes = sizes as Uint8Array<ArrayBuffer>;
  }

  setLayers(layers: Uint8Array): void {
    this.layers = layers as Uint8Array<ArrayBuffer>;
  }

  setLand(): void {
    // Land needs a shader.
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (this.canvas.width === w && this.canvas.height === h) return;
    this.canvas.width = w;
    this.canvas.height = h;
  }

  draw(frame: Frame, look: Look, stretches: readonly Stretch[], from: number, to: number): void {
    const { context: c, ratio } = this;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (from === 0) c.clearRect(0, 0, frame.width, frame.height);
    for (const stretch of look.layered ? stretches : []) this.layer(frame, look, 0, ...part(stretch, from, to));
    for (const stretch of stretches) this.layer(frame, look, 255, ...part(stretch, look.layered ? 0 : from, to));
  }

  private layer(frame: Frame, look: Look, layer: number, start: number, end: number): void {
    const { context: c, positions, colors, sizes, layers } = this;
    const out = new Float64Array(3);
    for (let i = start; i < end; i++) {
      if (layers[i] !== layer) continue;
      frame.project(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!, out);
      const [x, y] = [out[0]!, out[1]!];
      const color: Rgb = [colors[3 * i]!, colors[3 * i + 1]!, colors[3 * i + 2]!];
      drawPoint(look, layer > 0, out[2]!, look.pointSize * (sizes[i]! / 64), color, (radius, style) => {
        c.fillStyle = style.fill as string;
        if (radius <= 1) {
          c.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
          return;
        }
        c.beginPath();
        c.arc(x, y, radius, 0, 2 * Math.PI);
        c.fill();
        if (!style.stroke) return;
        c.strokeStyle = style.stroke;
        c.lineWidth = style.width ?? 1;
        c.stroke();
      });
    }
  }

  finish(): void {
    // On a 2D canvas, drawing is finished when the calls return.
  }

  dispose(): void {
    this.canvas.width = this.canvas.height = 1;
  }
}
