/** How many points can be drawn in the time that there is. */

/**
 * How many points a picture may have while something moves. One slow picture is felt more than many that could have had
 * more points: the slowest of the last few sets the pace. It cuts down at once, by as much as it was too slow, and grows
 * by little when none was slow.
 */
export class Pace {
  private readonly times: number[] = [];

  constructor(private readonly bounds: readonly [number, number]) {}

  next(count: number, least: number, most: number, time: number): number {
    const [short, long] = this.bounds;
    // A page that was asleep.
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
      // What was slow has been answered: it is not to cut the next picture down again.
      this.reset();
    } else if (slowest < short && this.times.length >= 3) factor = 1.2;
    const next = factor > 1 ? Math.max(count, Math.min(most, count * factor)) : count * factor;
    return Math.round(Math.max(Math.min(least, most), next));
  }

  reset(): void {
    this.times.length = 0;
  }
}

/** A count that keeps the time it takes between two bounds; times of a page that was asleep say nothing. */
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
