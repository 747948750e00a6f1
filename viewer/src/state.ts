/** The state that the user can change, with listeners for changes. */
import type { RampName } from "./color/palette.ts";
import type { ProjectionId } from "./geometry/projection.ts";
import type { Stop } from "./share/story.ts";

export type Tool = "turn" | "lasso";
export type LassoMode = "replace" | "add" | "subtract";
export type LabelMode = "auto" | "items" | "classes" | "none";

export interface State {
  theme: "light" | "dark";
  projection: ProjectionId;
  /** Names of columns, or null. */
  color: string | null;
  size: string | null;
  label: string | null;
  ramp: RampName;
  labels: LabelMode;
  ghost: boolean;
  /** Whether the strongest similarities are drawn: those of the highlighted items, or of all. */
  arcs: boolean;
  /** Whether dense regions are drawn as land. */
  land: boolean;
  sprites: boolean;
  tool: Tool;
  lassoMode: LassoMode;
  /** The classes that are shown, by the index of their text (−1 for the rest); empty if all are shown. */
  isolated: ReadonlySet<number>;
  /** The classes of other columns that are shown, by the name of the column. */
  chosen: ReadonlyMap<string, ReadonlySet<number>>;
  /** Ranges of numeric columns, by name. */
  ranges: ReadonlyMap<string, readonly [number, number]>;
  /** The selected items, or null. */
  selection: Uint8Array | null;
  /** The clicked item, and the item under the cursor; −1 if there is none. */
  focus: number;
  hover: number;
  /** Time of the animation: 0 is the first snapshot, the number of snapshots is the result; fractions are in between. */
  time: number;
  linked: boolean;
  /** The stops of the story; empty if there is none. */
  story: readonly Stop[];
}

export type Key = keyof State;

/** What decides which items are highlighted. */
export const FILTERS: readonly Key[] = ["isolated", "chosen", "ranges", "selection"];

/** The state in which all items are shown. */
export const unfiltered = (): Pick<State, "isolated" | "chosen" | "ranges" | "selection"> => ({
  isolated: new Set(),
  chosen: new Map(),
  ranges: new Map(),
  selection: null,
});

export class Store {
  private readonly listeners = new Set<{ keys: ReadonlySet<Key>; listen: () => void }>();

  constructor(private current: State) {}

  get state(): Readonly<State> {
    return this.current;
  }

  set(change: Partial<State>): void {
    const changed = (Object.keys(change) as Key[]).filter((key) => change[key] !== this.current[key]);
    if (!changed.length) return;
    this.current = { ...this.current, ...change };
    for (const { keys, listen } of [...this.listeners]) if (changed.some((key) => keys.has(key))) listen();
  }

  /** Calls `listen` whenever one of these keys changes; the returned function removes the listener. */
  on(keys: readonly Key[], listen: () => void): () => void {
    const entry = { keys: new Set(keys), listen };
    this.listeners.add(entry);
    return () => this.listeners.delete(entry);
  }
}
