/** Animations of the camera: inertia after a drag, and flights to a position. */
import type { Camera } from "../geometry/frame.ts";
import { axisAngle, multiply, normalize, type Quaternion, slerp, type Vector } from "../geometry/vector.ts";

export interface Motion {
  /** Moves the camera to its state at this time; false when it has arrived. */
  step(camera: Camera, now: number): boolean;
}

/** Time of a whole turn, in milliseconds. */
const TURN = 75_000;

const ease = (t: number) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

export function flight(from: Camera, to: Camera, start: number, duration: number): Motion {
  return {
    step(camera, now) {
      const t = duration <= 0 ? 1 : Math.max(0, Math.min(1, (now - start) / duration));
      const e = ease(t);
      camera.orientation = slerp(from.orientation, to.orientation, e);
      camera.zoom = from.zoom * (to.zoom / from.zoom) ** e;
      camera.panX = from.panX + (to.panX - from.panX) * e;
      camera.panY = from.panY + (to.panY - from.panY) * e;
      if (t >= 1) Object.assign(camera, to);
      return t < 1;
    },
  };
}

/** A rotation around a fixed axis that slows down. */
export function inertia(from: Quaternion, axis: Vector, speed: number, start: number): Motion {
  const decay = 0.0035;
  return {
    step(camera, now) {
      const t = Math.max(0, now - start);
      const left = Math.exp(-decay * t);
      camera.orientation = normalize(multiply(axisAngle(axis, (speed / decay) * (1 - left)), from));
      return speed * left > 2e-5;
    },
  };
}

/** One slow turn around the axis of the globe. */
export function turning(start: number): Motion {
  let last = start;
  return {
    step(camera, now) {
      const angle = (2 * Math.PI * Math.max(0, now - last)) / TURN;
      last = Math.max(last, now);
      camera.orientation = normalize(multiply(camera.orientation, axisAngle([0, 1, 0], angle)));
      return now - start < TURN;
    },
  };
}
