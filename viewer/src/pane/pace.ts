/** How many points can be drawn in the available time. */

/**
 * The number of points in a frame during a movement. Users notice one slow frame more than many frames with too few points,
 * so the slowest of the last few frames sets the number. It decreases immediately, in proportion to the delay, and increases
 * slowly when no frame was slow.
 */
export class Pace {
  private readonly times: number[] = [];

  constructor(private readonly bounds: readonly [number, number]) {}

  next(count: number, least: number, most: number, time: number): number {
    const [short, long] = this.bounds;
    // The page was in the background.
    if (time > 2000) {
      this.reset();
      return count;
    }
    this.times.push(time);
    if (this.times.length > 5) this.times.shift();
    const slowest = Math.max(...this.times);
    let factor = 1;
    if (time > long) {
      factor = Math.max(0.4, (0.8 * long) / time);
      // This slow frame has been handled and must not reduce the next number again.
      this.reset();
    } else if (slowest < short && this.times.length >= 3) factor = 1.2;
    const next = factor > 1 ? Math.max(count, Math.min(most, count * factor)) : count * factor;
    return Math.round(Math.max(Math.min(least, most), next));
  }

  reset(): void {
    this.times.length = 0;
  }
}

/** A number of points whose drawing time stays between two bounds; times of a page in the background are ignored. */
export function adapt(
  count: number,
  least: number,
  most: number,
  time: number,
  [short, long]: readonly [number, number],
): number {
  if (time > 2000) return count;
  const factor = time > long ? 0.75 : time < short ? 1.3 : 1;
  const next = factor > 1 ? Math.max(count, Math.min(most, count * factor)) : count * factor;
  return Math.round(Math.max(Math.min(least, most), next));
}
