/** What the reader has chosen, in one place; whoever shows some of it is told when it changes. */
import type { RampName } from "./color/palette.ts";
import type { ProjectionId } from "./geometry/projection.ts";

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
  sprites: boolean;
  tool: Tool;
  lassoMode: LassoMode;
  /** Classes that are isolated, by the number of their text (−1: the rest); empty: all are shown. */
  isolated: ReadonlySet<number>;
  /** Ranges of numeric columns, by name. */
  ranges: ReadonlyMap<string, readonly [number, number]>;
  /** The selected items, or null. */
  selection: Uint8Array | null;
  /** The item that was clicked and the one under the cursor, or −1. */
  focus: number;
  hover: number;
  /** Place among the snapshots: 0 is the first, their number the final positions; between them, between. */
  time: number;
  linked: boolean;
}

export type Key = keyof State;

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

  /** Calls `listen` whenever one of these changes, until the function that it returns is called. */
  on(keys: readonly Key[], listen: () => void): () => void {
    const entry = { keys: new Set(keys), listen };
    this.listeners.add(entry);
    return () => this.listeners.delete(entry);
  }
}
