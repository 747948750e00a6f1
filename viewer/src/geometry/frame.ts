/** One frame: the camera, the projection of the sphere, and the position on the screen. */
import type { Projection } from "./projection.ts";
import { directionAt } from "./trackball.ts";
import { conjugate, matrix, type Quaternion, rotate, type Vector } from "./vector.ts";

export interface Camera {
  /** The rotation from the coordinates of the data to those of the view. */
  orientation: Quaternion;
  zoom: number;
  /** For a plane: the point at the centre of the screen, in units of the plane. */
  panX: number;
  panY: number;
}

/** The free area of the screen, in CSS pixels. */
export interface Free {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const fittingScale = (projection: Projection, free: Free): number =>
  Math.min(free.width / projection.halfWidth, free.height / projection.halfHeight) / 2;

export class Frame {
  readonly centerX: number;
  readonly centerY: number;
  /** Pixels per unit of the projection, for the projections at the start and at the end of a transition. */
  readonly fromScale: number;
  readonly scale: number;
  readonly rotation: Float64Array;
  private readonly back: Quaternion;
  private readonly other = new Float64Array(3);

  constructor(
    readonly width: number,
    readonly height: number,
    readonly camera: Camera,
    free: Free,
    readonly to: Projection,
    readonly from: Projection = to,
    /** Progress of the transition: 0 is `from`, 1 is `to`. */
    readonly morph: number = 1,
    /** The free area for `from`. */
    fromFree: Free = free,
  ) {
    this.scale = fittingScale(to, free) * camera.zoom;
    this.fromScale = fittingScale(from, fromFree) * camera.zoom;
    const mix = (a: number, b: number) => a + (b - a) * morph;
    const [x, y] = [mix(fromFree.x, free.x), mix(fromFree.y, free.y)];
    const [w, h] = [mix(fromFree.width, free.width), mix(fromFree.height, free.height)];
    this.centerX = x + w / 2 - (to.id === "plane" ? camera.panX * this.scale : 0);
    this.centerY = y + h / 2 + (to.id === "plane" ? camera.panY * this.scale : 0);
    this.rotation = matrix(camera.orientation);
    this.back = conjugate(camera.orientation);
  }

  /** The radius of the globe on the screen, or a corresponding size for other projections. */
  get radius(): number {
    return this.scale * (this.to.cut ? 1.6 : this.to.halfWidth);
  }

  /** Writes the pixel of a point and, third, whether it is on the near side (> 0). */
  project(x: number, y: number, z: number, out: Float64Array): void {
    const r = this.rotation;
    const vx = r[0]! * x + r[3]! * y + r[6]! * z;
    const vy = r[1]! * x + r[4]! * y + r[7]! * z;
    const vz = r[2]! * x + r[5]! * y + r[8]! * z;
    this.to.forward(vx, vy, vz, out);
    if (this.morph < 1) {
      const { other, morph } = this;
      this.from.forward(vx, vy, vz, other);
      const a = (1 - morph) * this.fromScale;
      const b = morph * this.scale;
      out[0] = this.centerX + a * other[0]! + b * out[0]!;
      out[1] = this.centerY - a * other[1]! - b * out[1]!;
      out[2] = (1 - morph) * Math.sign(other[2]!) + morph * Math.sign(out[2]!);
      return;
    }
    out[0] = this.centerX + this.scale * out[0]!;
    out[1] = this.centerY - this.scale * out[1]!;
  }

  /** The position in the data under a pixel, or null. */
  unproject(px: number, py: number): Vector | null {
    const v = this.to.inverse((px - this.centerX) / this.scale, (this.centerY - py) / this.scale);
    return v && rotate(this.back, v);
  }

  /** The direction under a pixel in the coordinates of the view; outside of the map it continues around the limb. */
  direction(px: number, py: number): Vector {
    return directionAt(this.to, (px - this.centerX) / this.scale, (this.centerY - py) / this.scale);
  }
}
