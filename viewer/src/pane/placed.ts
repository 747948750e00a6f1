/** Where the items of a map are now, and what is computed from it when it is needed first. */
import { farthest, type NeighborLists, neighborLists } from "../ask/neighbors.ts";
import type { View } from "../data/model.ts";
import { type Edge, edges } from "../draw/overlay.ts";
import { Cells } from "../geometry/cells.ts";
import { anchorsOf } from "../geometry/densest.ts";
import { type Extent, extentsOf } from "../geometry/extents.ts";
import type { Vector } from "../geometry/vector.ts";
import type { Scene } from "../scene.ts";

export class Placed {
  /** The current positions: those of the view or, in an animation, of a snapshot. */
  private now: Float32Array;
  private cellsKnown: Cells | null = null;
  private nearnessKnown: number | null = null;
  private extentsKnown: Extent[][] | null = null;
  private readonly anchorsKnown = new Map<number, (Vector | null)[]>();
  private far: { of: number; found: ReturnType<typeof farthest> } | null = null;
  private lists: { item: number; lists: NeighborLists; edges: Edge[] } | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly view: View,
  ) {
    this.now = view.positions;
  }

  get positions(): Float32Array {
    return this.now;
  }

  set(positions: Float32Array): void {
    this.now = positions;
    this.cellsKnown = null;
    this.nearnessKnown = null;
    this.extentsKnown = null;
    this.anchorsKnown.clear();
    this.lists = null;
    this.far = null;
  }

  place(item: number): Vector {
    return [this.now[3 * item]!, this.now[3 * item + 1]!, this.now[3 * item + 2]!];
  }

  get cells(): Cells {
    this.cellsKnown ??= new Cells(this.now, this.view.space === "plane");
    return this.cellsKnown;
  }

  /** Where the clusters of each level are. */
  get extents(): readonly (readonly Extent[])[] {
    const { clusters } = this.scene.model;
    this.extentsKnown ??= clusters ? extentsOf(clusters, this.now, this.view.space === "sphere") : [];
    return this.extentsKnown;
  }

  /** Where each cluster of a level is densest. */
  anchors(level: number): readonly (Vector | null)[] {
    let known = this.anchorsKnown.get(level);
    const { clusters } = this.scene.model;
    const of = clusters?.levels[level];
    if (!known && clusters && of) {
      const reaches = (this.extents[level] ?? []).map((extent) => extent.reach);
      known = anchorsOf((item) => of.ofFinest[clusters.finest[item]!]!, reaches, this.now, this.scene.order);
      this.anchorsKnown.set(level, known);
    }
    return known ?? [];
  }

  /** The typical distance to the nearest other item. */
  get nearness(): number {
    if (this.nearnessKnown === null) {
      const distances = Array.from(
        this.scene.order.slice(0, 200),
        (item) => this.cells.nearest(...this.place(item), 1, item)[0]?.distance ?? 1,
      );
      this.nearnessKnown = distances.sort((a, b) => a - b)[distances.length >> 1] ?? 1;
    }
    return this.nearnessKnown;
  }

  /** The farthest item; it is remembered, since all items are compared. */
  farthest(item: number): { item: number; degrees: number } | null {
    if (this.far?.of !== item) this.far = { of: item, found: farthest(this.now, item) };
    return this.far.found;
  }

  neighbors(item: number): { lists: NeighborLists; edges: Edge[] } {
    if (this.lists?.item !== item) {
      const sphere = this.view.space === "sphere";
      const lists = neighborLists(this.scene.model, this.now, this.cells, item, sphere);
      this.lists = { item, lists, edges: edges(this.now, item, lists, sphere) };
    }
    return this.lists;
  }
}
