/** The camera of a map and its movements: flights, inertia, and movements by hand. */
import type { SpaceName } from "../data/model.ts";
import type { Camera } from "../geometry/frame.ts";
import { identity, multiply, normalize, rotate, shortest, type Vector } from "../geometry/vector.ts";
import { flight, type Motion } from "./motion.ts";

const FLIGHT = 900;
/** A map counts as moving until this long after the last movement, in milliseconds. */
const SETTLING = 140;

export class Steering {
  readonly camera: Camera = { orientation: identity, zoom: 1, panX: 0, panY: 0 };
  private motion: Motion | null = null;
  private lastMoved = -Infinity;

  constructor(
    private readonly space: SpaceName,
    private readonly still: () => boolean,
    /** A movement begins, or the camera has been moved. */
    private readonly changed: () => void,
  ) {}

  /** Whether the map moves by itself. */
  get flying(): boolean {
    return this.motion !== null;
  }

  get moving(): boolean {
    return this.motion !== null || performance.now() - this.lastMoved < SETTLING;
  }

  /** Something moves now. */
  touch(): void {
    this.lastMoved = performance.now();
  }

  set(motion: Motion | null): void {
    this.motion = motion;
    if (motion) this.changed();
  }

  /** Moves the camera to where it is now; whether it has moved. */
  step(): boolean {
    if (!this.motion) return false;
    if (!this.motion.step(this.camera, performance.now())) this.motion = null;
    this.touch();
    return true;
  }

  fly(to: Partial<Camera>, duration = FLIGHT): void {
    const target = { ...this.camera, ...to };
    this.set(flight({ ...this.camera }, target, performance.now(), this.still() ? 0 : duration));
  }

  /** Moves a position of the data to the centre, along the great circle. */
  flyTo(place: Vector, zoom = this.camera.zoom): void {
    if (this.space === "plane") this.fly({ panX: place[0], panY: place[1], zoom });
    if (this.space !== "sphere") return;
    const { orientation } = this.camera;
    const seen = rotate(orientation, place);
    this.fly({ orientation: normalize(multiply(shortest(seen, [0, 0, 1]), orientation)), zoom });
  }

  /** Rotates the view so that north is up, without moving the centre. */
  northUp(): void {
    if (this.space !== "sphere") {
      this.fly({ orientation: identity, zoom: 1, panX: 0, panY: 0 });
      return;
    }
    const { orientation } = this.camera;
    const [x, y] = rotate(orientation, [0, 1, 0]);
    // If the centre is a pole, no direction is north: rotate the pole to the top first.
    const twist = Math.hypot(x, y) < 1e-6 ? 0 : Math.atan2(x, y);
    const roll = [0, 0, Math.sin(twist / 2), Math.cos(twist / 2)] as const;
    this.fly({ orientation: normalize(multiply(roll, orientation)) }, 500);
  }
}
