/** The interface of the painters of points: WebGL2 if available, otherwise a 2D canvas. */
import type { Land } from "../geometry/density.ts";
import type { Frame } from "../geometry/frame.ts";

/** The appearance of the points. */
export interface Look {
  /** Diameter in CSS pixels of a point of size 1. */
  pointSize: number;
  /** Opacity of the far side. */
  ghost: number;
  /** Whether some points are greyed; these are drawn first. */
  layered: boolean;
  /** The appearance of greyed points. */
  grey: readonly [number, number, number];
  dark: boolean;
  /** Accumulated density at which the opacity is one half; null draws individual points. */
  knee: number | null;
  /** Whether a few points sketch the density instead of accumulating it, which saves two passes. */
  sketch: boolean;
  /** The appearance of the land below the points; null draws none. */
  land: LandLook | null;
}

/** How land is drawn; the painter has the land itself. */
export interface LandLook {
  opacity: number;
  ink: readonly [number, number, number];
  paper: readonly [number, number, number];
  tint: number;
}

export interface Stretch {
  start: number;
  end: number;
}

/** The points of a range between two fractions of it. */
export function part({ start, end }: Stretch, from: number, to: number): [number, number] {
  return [start + Math.round((end - start) * from), start + Math.round((end - start) * to)];
}

export interface PointPainter {
  /** Whether the browser uses software rendering; then 2D canvases are also faster without GPU acceleration. */
  readonly software: boolean;
  /** Three coordinates for each point, in drawing order. */
  setPositions(positions: Float32Array): void;
  /** Three bytes of colour and one byte of size (× 64) for each point, in drawing order. */
  setColors(colors: Uint8Array, sizes: Uint8Array): void;
  /** One byte for each point, in drawing order: 255 if it is highlighted, 0 if it is greyed. */
  setLayers(layers: Uint8Array): void;
  /** The land below the points, or null; painters without WebGL draw none. */
  setLand(land: Land | null): void;
  resize(width: number, height: number, ratio: number): void;
  /**
   * Draws the part of each range of points from one fraction to another; clears the canvas first if it starts at 0.
   */
  draw(frame: Frame, look: Look, stretches: readonly Stretch[], from: number, to: number): void;
  /** Waits until drawing is finished, to measure its time. */
  finish(): void;
  dispose(): void;
}
