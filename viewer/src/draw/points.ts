/** What draws the points: WebGL2 where there is one, a 2D canvas elsewhere. */
import type { Frame } from "../geometry/frame.ts";

/** How the points look apart from where they are. */
export interface Look {
  /** Diameter in CSS pixels of a point of size 1. */
  pointSize: number;
  /** Opacity of the far side. */
  ghost: number;
  /** Whether some points are greyed: then they are drawn first. */
  layered: boolean;
  /** What greyed points look like. */
  grey: readonly [number, number, number];
  dark: boolean;
  /** Weight of accumulated density at which the picture is half opaque; null draws points one by one. */
  knee: number | null;
  /** Whether density is not to be accumulated but sketched by a few of the points, which takes two passes less. */
  sketch: boolean;
}

export interface Stretch {
  start: number;
  end: number;
}

/** The points of a stretch between two shares of it. */
export function part({ start, end }: Stretch, from: number, to: number): [number, number] {
  return [start + Math.round((end - start) * from), start + Math.round((end - start) * to)];
}

export interface PointPainter {
  /** Whether the browser draws without a graphics card: then 2D canvases are faster without WebGL's help as well. */
  readonly software: boolean;
  /** Three coordinates a point, in drawing order. */
  setPositions(positions: Float32Array): void;
  /** Three bytes of colour and one of size (× 64) a point, in drawing order. */
  setColors(colors: Uint8Array, sizes: Uint8Array): void;
  /** One byte a point, in drawing order: 255 where it stands out, 0 where it is greyed. */
  setLayers(layers: Uint8Array): void;
  resize(width: number, height: number, ratio: number): void;
  /**
   * Draws, of each stretch of points, the part from one share to another; on a clean canvas if it begins with nothing.
   */
  draw(frame: Frame, look: Look, stretches: readonly Stretch[], from: number, to: number): void;
  /** Waits until all is drawn, so that it can be timed. */
  finish(): void;
  dispose(): void;
}
