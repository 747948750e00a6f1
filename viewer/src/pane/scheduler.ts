/** Asks the browser for frames, one at a time and only if there is something to draw. */

/** The time after a movement until the frame that shows the map at rest, in milliseconds. */
const REST = 150;

/** What must follow a frame: another one, one more after a movement has ended, or nothing. */
export type Next = "frame" | "settle" | "rest";

export class Scheduler {
  /** Number of frames drawn so far; a test checks that it does not grow at rest. */
  frames = 0;
  private scheduled = false;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly draw: (now: number) => Next,
    private readonly rested: () => void,
  ) {}

  /** Whether no other frame will be drawn until something changes. */
  get idle(): boolean {
    return !this.scheduled && this.settling === undefined;
  }

  request(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.scheduled = false;
    this.frames++;
    const next = this.draw(now);
    if (next === "frame") this.request();
    else if (next === "settle") this.settle();
    else if (this.idle) this.rested();
  }

  private settle(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      this.request();
    }, REST);
  }
}
