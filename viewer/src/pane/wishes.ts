/** The labels that a pane would show now if there were room for all. */

import type { NeighborLists } from "../ask/neighbors.ts";
import { CLUSTER_NAME } from "../choice.ts";
import type { View } from "../data/model.ts";
import { type Anchors, classAnchors, classCandidates, inSight } from "../draw/candidates.ts";
import { type Candidate, oneLine, spaced } from "../draw/labels.ts";
import { levelAt, placeCandidates } from "../draw/places.ts";
import type { Cells } from "../geometry/cells.ts";
import type { Extent } from "../geometry/extents.ts";
import type { Frame } from "../geometry/frame.ts";
import type { Vector } from "../geometry/vector.ts";
import type { Scene } from "../scene.ts";

/** What is labelled: one map of the scene. */
export interface Labelled {
  readonly scene: Scene;
  readonly view: View;
  readonly positions: Float32Array;
  readonly cells: Cells;
  readonly moving: boolean;
  readonly extents: readonly (readonly Extent[])[];
  anchors(level: number): readonly (Vector | null)[];
  place(item: number): Vector;
  radiusOf(frame: Frame, item: number): number;
  neighbors(item: number): { lists: NeighborLists };
  farthest(item: number): { item: number } | null;
}

/** From this number of items on, names of classes label the map better than names of items. */
const MANY = 1500;
/** From this zoom on, items have labels in addition to the classes; farther away only the most important ones have. */
const CLOSE = 3;
const MOST_CAPITALS = 40;
/** How large their names are, relative to those of the most important items among few. */
const CAPITAL = 0.2;
const MOST_ITEMS = 700;
/** On smaller globes, in pixels, names of regions would hide them. */
const LEAST_RADIUS = 190;
/** So many classes must have names where the colours show something else. */
const LEAST_TELLING = 3;
/** From this zoom on, names of clusters beside those of classes may stand apart from their places, with a line. */
const LED = 1.4;

export class Wishes {
  private anchors: ReadonlyMap<number, Anchors> | null = null;
  private sight: { key: string; items: Uint32Array | null } = { key: "", items: null };

  constructor(private readonly pane: Labelled) {}

  /** Positions or colours have changed. */
  forget(): void {
    this.anchors = null;
    this.sight.key = "";
  }

  of(frame: Frame): Candidate[] {
    const { scene, view, positions } = this.pane;
    const { labels: mode, focus, hover, label } = scene.store.state;
    if (mode === "none") return [];
    const coloring = scene.naming(view);
    // Row numbers and barcodes are not useful as labels, so they are shown on request only.
    const named = scene.idsAreNames || label !== null;
    const many = coloring.kind === "classes" && (scene.model.count > MANY || !named);
    const colored = scene.coloring(view).kind === "classes";
    // By key, so that the label of the item under the cursor replaces its normal label.
    const found = new Map<number, Candidate>();
    // Among few items, names of classes stand behind those of the items, until one is close, if the colours are theirs.
    const roomy = view.space === "sphere" && frame.radius > LEAST_RADIUS;
    const regions = mode === "auto" && !many && roomy && named && colored && frame.camera.zoom < CLOSE;
    let clustered = coloring.kind === "classes" && coloring.column.name === CLUSTER_NAME;
    const classes = mode === "classes" || (mode === "auto" && many) || regions;
    if (classes) this.anchors ??= classAnchors(coloring, positions, scene.order, !colored);
    // Of classes that colours do not show, a lone name says nothing.
    const telling = [...(this.anchors?.values() ?? [])].filter(({ main }) => main.length > 0).length;
    const lone = mode === "auto" && !colored && telling < LEAST_TELLING;
    clustered ||= lone && many;
    if (classes && this.anchors && !lone && !(clustered && many && scene.model.clusters)) {
      const kind = regions ? "region" : "class";
      const names = classCandidates(coloring, this.anchors, positions, scene.theme.dark, scene.mask, colored, kind);
      for (const c of names) found.set(c.key, c);
    }
    if (many && mode !== "items") for (const c of this.places(frame, clustered)) found.set(c.key, c);
    if (mode === "items" || (mode === "auto" && named && (!many || frame.camera.zoom > CLOSE))) {
      for (const item of this.items(frame)) {
        if (scene.mask && scene.mask[item] !== 1) continue;
        found.set(item, this.candidate(frame, item, scene.weights[item]!));
        if (found.size > MOST_ITEMS) break;
      }
    }
    if (mode === "auto" && named && many && frame.camera.zoom <= CLOSE)
      for (const c of this.capitals(frame)) found.set(c.key, c);
    for (const item of [focus, hover, ...this.ends(focus)])
      if (item >= 0) found.set(item, { ...this.candidate(frame, item, 1), first: true });
    return [...found.values()];
  }

  /** The names of clusters at this scale: in place of those of the classes if they are the classes, otherwise below them. */
  private places(frame: Frame, clustered: boolean): Candidate[] {
    const { scene } = this.pane;
    const { clusters } = scene.model;
    if (!clusters || scene.mask) return [];
    const level = levelAt(clusters, frame.camera.zoom);
    const coloring = scene.naming(this.pane.view);
    const extents = this.pane.extents[level] ?? [];
    const anchors = this.pane.anchors(level);
    if (clustered || coloring.kind !== "classes") return placeCandidates(clusters, level, extents, anchors, null);
    // A class that is a number is named with its column.
    const shown = coloring.entries.flatMap(({ name }) => [name, `${coloring.column.name} ${name}`]);
    return placeCandidates(clusters, level, extents, anchors, new Set(shown), frame.camera.zoom >= LED);
  }

  /** The most important items among very many, if sizes say which they are. */
  private capitals(frame: Frame): Candidate[] {
    const { scene } = this.pane;
    if (scene.store.state.size === null) return [];
    const standing = Array.from(scene.top.subarray(0, MOST_CAPITALS)).filter((item) => scene.mask?.[item] !== 0);
    return standing.map((item) => ({ ...this.candidate(frame, item, CAPITAL * scene.weights[item]!), marked: true }));
  }

  /** Around a centre, the nearest and the farthest item have names. */
  private ends(focus: number): number[] {
    const { pane } = this;
    if (focus < 0 || pane.view.space !== "sphere" || pane.scene.store.state.projection !== "equidistant") return [];
    const [near] = pane.neighbors(focus).lists.onMap;
    return [near?.item ?? -1, pane.farthest(focus)?.item ?? -1];
  }

  private candidate(frame: Frame, item: number, weight: number): Candidate {
    const { pane } = this;
    return {
      key: item,
      text: oneLine(spaced(pane.scene.name(item))),
      position: pane.place(item),
      weight,
      clear: pane.radiusOf(frame, item),
      kind: "item",
    };
  }

  /** The items that may get a label; updated when the camera comes to rest at another view. */
  private items(frame: Frame): Uint32Array {
    const { scene, moving, view } = this.pane;
    const { camera } = frame;
    const key = [...camera.orientation, camera.zoom, camera.panX, camera.panY].map((x) => x.toFixed(3)).join();
    if (view.space !== "space" && key !== this.sight.key && !moving) {
      this.sight = { key, items: inSight(frame, this.pane.cells, scene.weights) };
    }
    return this.sight.items ?? scene.top;
  }
}
