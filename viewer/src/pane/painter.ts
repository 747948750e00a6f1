/**
 * Draws a map: three canvases (sphere, points, labels) on the screen, or the same layers on another surface for an export.
 *
 * During a movement, only as many points are drawn as take about a fortieth of a second on this machine. At rest, the other
 * points are added in steps until all are drawn.
 */

import { strongestPairs } from "../ask/strongest.ts";
import type { View } from "../data/model.ts";
import { Arcs } from "../draw/arcs-gl.ts";
import { drawBase } from "../draw/base.ts";
import { drawBorders } from "../draw/borders.ts";
import { Crowd } from "../draw/crowd.ts";
import { areaOfNames, drawLabels, type Label, type Measure, measureBy, Placer } from "../draw/labels.ts";
import { drawCrosshair, drawEdges, drawLasso, drawRing } from "../draw/overlay.ts";
import type { Look, PointPainter } from "../draw/points.ts";
import { CanvasPoints } from "../draw/points-canvas.ts";
import { GlPoints } from "../draw/points-gl.ts";
import type { Box } from "../draw/rooms.ts";
import { drawSprites } from "../draw/sprites.ts";
import { CanvasSurface, type Surface } from "../draw/surface.ts";
import { bordersOf } from "../geometry/borders.ts";
import { type Bucket, buckets, byPatch, inPicture } from "../geometry/buckets.ts";
import { centres } from "../geometry/bundles.ts";
import { detailAt, type Land, landOf } from "../geometry/density.ts";
import type { Frame, Free } from "../geometry/frame.ts";
import type { Vector } from "../geometry/vector.ts";
import type { Scene } from "../scene.ts";
import { adapt, Pace } from "./pace.ts";
import type { Placed } from "./placed.ts";
import { type Labelled, Wishes } from "./wishes.ts";

/** Lower and upper limits of the time for a frame during a movement, and for a step at rest, in milliseconds. */
const MOVING_TIMES = [24, 42] as const;
const RESTING_TIMES = [60, 130] as const;
/** Fewer points than this save no time, because the canvases themselves take longer. */
const LEAST_MOVING = 6_000;
/** Points are drawn as density above this number, if their distance is below this value, in pixels. */
const DENSE_COUNT = 200_000;
const DENSE_SPACING = 5;
/** Minimum size of images in pixels; items without room for an image are drawn as points. */
const LEAST_IMAGE = 22;
/** During a movement, only so many items may become images. */
const MOST_MOVING_IMAGES = 5000;
/** At most so many arcs are drawn, and so many in the first step at rest. */
const MOST_ARCS = 100_000;
const FIRST_ARCS = 2000;

export class Painter {
  readonly base = layer("base");
  readonly middle = layer("points");
  readonly above = layer("arcs");
  readonly top = layer("labels");
  readonly withoutGl: boolean;
  /** The share of the visible points that is drawn. */
  share = 0;
  labels: Label[] = [];
  /** Areas without labels. */
  blocked: Box[] = [];
  /** The items that are currently shown as images. */
  pictured = new Set<number>();
  pointsStale = true;
  topStale = true;
  /** Whether the highlighted points have changed since the last frame. */
  layersStale = false;
  private arcs: Arcs | null = null;
  /** Whether the pairs, or what they look like, have changed; and the share of the arcs that is drawn. */
  private arcsStale = true;
  private arcShare = 1;
  private arcStep: number = FIRST_ARCS;
  private land: Land | null = null;
  private landStale = true;
  /** The land by its detail, as far as it is known; and the detail that is shown. */
  private readonly lands = new Map<number, Land | null>();
  private detail = 1;
  /** The borders between classes on the land; null if they are not known yet. */
  private borders: readonly Vector[][] | null = null;
  /** Whether the frame is a sketch that is redrawn at rest. */
  private sketched = false;
  private readonly baseContext: CanvasRenderingContext2D;
  private readonly topContext: CanvasRenderingContext2D;
  private readonly painter: PointPainter;
  /** Drawing order: by patches, shuffled within each. */
  private readonly order: Uint32Array;
  private readonly starts: Uint32Array;
  private buckets: Bucket[] = [];
  private readonly placer: Placer;
  private readonly wishes: Wishes;
  /** Numbers of points drawn during a movement, and in one step at rest. */
  private movingCount: number;
  private restingCount: number;
  private lastTick = -Infinity;
  private wasMoving = false;
  private readonly pace = new Pace(MOVING_TIMES);
  private width = 1;
  private height = 1;
  private ratio = 1;

  constructor(
    private readonly scene: Scene,
    private readonly view: View,
    private readonly placed: Placed,
    labelled: Labelled,
    restored: () => void,
  ) {
    ({ order: this.order, starts: this.starts } = byPatch(view.positions, scene.order, view.space === "plane"));
    const painter = GlPoints.on(this.middle, restored);
    this.withoutGl = !painter;
    this.painter = painter ?? new CanvasPoints(this.middle);
    // A guess for software rendering; on faster machines the number grows within a few frames.
    this.movingCount = Math.min(scene.model.count, painter ? 30_000 : 4_000);
    this.restingCount = 3 * this.movingCount;
    const settings: CanvasRenderingContext2DSettings = { willReadFrequently: this.painter.software };
    this.baseContext = this.base.getContext("2d", settings)!;
    this.topContext = this.top.getContext("2d", settings)!;
    this.placer = new Placer(remembered(measureBy(this.topContext)));
    this.wishes = new Wishes(labelled);
    this.load(this.painter);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.ratio = Math.min(3, devicePixelRatio || 1);
    for (const canvas of [this.base, this.top]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.painter.resize(width, height, this.ratio);
    this.arcs?.resize(width, height, this.ratio);
  }

  /** The positions have changed. */
  replace(): void {
    this.wishes.forget();
    const sorted = this.inOrder(this.placed.positions);
    this.buckets = buckets(sorted, this.starts);
    this.painter.setPositions(sorted);
    // The old land is wrong at once.
    this.painter.setLand(null);
    this.landStale = true;
    this.lands.clear();
    this.borders = null;
    this.arcsStale = true;
  }

  /** Colours or sizes have changed. */
  restyle(): void {
    const { colors, sizes } = this.scene.appearance(this.view, this.order);
    this.painter.setColors(colors, sizes);
    this.layersStale = true;
    this.landStale = true;
    this.lands.clear();
    this.borders = null;
    this.arcsStale = true;
    this.wishes.forget();
  }

  /** Other items are highlighted. */
  highlight(): void {
    this.layersStale = true;
    this.arcsStale = true;
  }

  /** Computes the land again; at rest only, since it takes a few frames' time. */
  private survey(): void {
    this.landStale = false;
    if (this.view.space !== "sphere" || this.withoutGl) return;
    const { lands, detail } = this;
    if (!lands.has(detail))
      lands.set(detail, landOf(this.placed.positions, this.scene.colorsOf(this.view), this.scene.order, detail));
    this.land = lands.get(detail) ?? null;
    this.borders ??= this.land
      ? bordersOf(this.placed.positions, this.scene.classesOf(this.view), this.scene.order)
      : [];
    this.painter.setLand(this.land);
    this.pointsStale = true;
  }

  private inOrder(positions: Float32Array): Float32Array {
    const { order } = this;
    const out = new Float32Array(positions.length);
    for (let k = 0; k < order.length; k++) {
      const i = 3 * order[k]!;
      out[3 * k] = positions[i]!;
      out[3 * k + 1] = positions[i + 1]!;
      out[3 * k + 2] = positions[i + 2]!;
    }
    return out;
  }

  /** Sends the points of this map to a painter. */
  load(painter: PointPainter): void {
    const sorted = this.inOrder(this.placed.positions);
    this.buckets = buckets(sorted, this.starts);
    painter.setPositions(sorted);
    const { colors, sizes } = this.scene.appearance(this.view, this.order);
    painter.setColors(colors, sizes);
    painter.setLayers(this.scene.layers(this.order));
    painter.setLand(this.land);
  }

  /** The points that may be visible in a frame. */
  inPicture(frame: Frame): Bucket[] {
    return this.buckets.filter((bucket) => inPicture(frame, bucket, this.scene.store.state.ghost));
  }

  private spacing(frame: Frame): number {
    const area = this.view.space === "sphere" ? 4 * Math.PI : 4;
    return frame.radius * Math.sqrt(area / Math.max(1, this.scene.model.count));
  }

  /** Diameter of a point of size 1, in CSS pixels. */
  pointSize(frame: Frame): number {
    const size = Math.min(16, 1.45 * Math.max(1, this.spacing(frame)) ** 0.46);
    // Points are smaller if there are images.
    return this.spriteSize(frame) > 0 ? 0.6 * size : size;
  }

  look(frame: Frame, moving: boolean): Look {
    const { scene } = this;
    const pointSize = this.pointSize(frame);
    const spacing = this.spacing(frame);
    const dense = scene.model.count > DENSE_COUNT && spacing < DENSE_SPACING;
    const mean = (0.785 * pointSize * pointSize) / (spacing * spacing);
    return {
      pointSize,
      ghost: scene.store.state.ghost ? 0.12 : 0,
      layered: scene.mask !== null,
      grey: scene.theme.grey,
      dark: scene.theme.dark,
      knee: dense ? Math.max(0.35, 0.8 * mean) : null,
      sketch: moving && this.painter.software,
      // Highlighted points stand out better from fainter land.
      land: scene.store.state.land ? { ...scene.theme.land, opacity: scene.mask ? 0.4 : 1 } : null,
    };
  }

  /** The size of the images; 0 if there are none. */
  spriteSize(frame: Frame): number {
    if (!this.scene.sheet || !this.scene.store.state.sprites) return 0;
    // The typical distance of items within clusters is about twice the distance to the nearest one.
    return Math.max(LEAST_IMAGE, Math.min(72, 1.5 * this.placed.nearness * frame.scale));
  }

  /** Half of the size of an item on the screen. */
  radiusOf(frame: Frame, item: number): number {
    if (this.pictured.has(item)) return this.spriteSize(frame) / 2;
    return (this.pointSize(frame) * this.scene.sizeOf(item)) / 2;
  }

  get unfinished(): boolean {
    return this.share < 1 || this.arcShare < 1 || this.sketched || (this.landStale && this.scene.store.state.land);
  }

  get hasLand(): boolean {
    return this.land !== null && this.scene.store.state.land;
  }

  /** Whether there is no graphics card to draw with. */
  get software(): boolean {
    return this.painter.software;
  }

  get fading(): boolean {
    return this.placer.fading;
  }

  /** Draws what has changed: everything, or more points, or only the labels. */
  draw(frame: Frame, now: number, moving: boolean, hand: Hand): void {
    const detail = detailAt(frame.scale);
    if (detail !== this.detail) this.landStale = true;
    this.detail = detail;
    // Not in the first frame: points come first.
    if (this.landStale && !moving && !this.pointsStale && this.scene.store.state.land) this.survey();
    const look = this.look(frame, moving);
    const seen = this.inPicture(frame);
    const count = Math.max(
      1,
      seen.reduce((sum, bucket) => sum + bucket.end - bucket.start, 0),
    );
    const redrawn = this.pointsStale;
    if (this.pointsStale) {
      // The interval before the first frame after a rest is meaningless: it includes the rest.
      if (moving && this.wasMoving)
        this.movingCount = this.pace.next(this.movingCount, LEAST_MOVING, count, now - this.lastTick);
      else this.pace.reset();
      this.lastTick = now;
      if (this.layersStale) this.painter.setLayers(this.scene.layers(this.order));
      this.layersStale = false;
      const c = this.cleared(this.baseContext);
      drawBase(new CanvasSurface(c), frame, this.scene.theme);
      this.share = Math.min(1, this.movingCount / count);
      this.painter.draw(frame, look, seen, 0, this.share);
      this.sketched = look.sketch && (look.knee !== null || this.hasLand);
      this.pointsStale = false;
      this.topStale = true;
    } else if (this.unfinished && !moving) {
      const start = performance.now();
      if (this.sketched) this.share = 0;
      this.sketched = false;
      const to = Math.min(1, this.share + this.restingCount / count);
      this.painter.draw(frame, look, seen, this.share, to);
      this.painter.finish();
      this.share = to;
      this.restingCount = adapt(this.restingCount, count / 20, count, performance.now() - start, RESTING_TIMES);
    }
    this.drawArcs(frame, moving, redrawn);
    if (this.topStale || this.placer.fading || this.wasMoving !== moving) this.drawTop(frame, now, moving, hand);
    this.wasMoving = moving;
  }

  /** Sends the arcs to a painter; false if there are none. */
  loadArcs(painter: Arcs): boolean {
    const { neighbors } = this.scene.model;
    if (!neighbors || !this.scene.store.state.arcs) return false;
    const pairs = strongestPairs(neighbors, this.scene.mask, MOST_ARCS);
    const sphere = this.view.space === "sphere";
    const { positions } = this.placed;
    const { clusters } = this.scene.model;
    // Countries: continents are so large that edges would make long detours.
    const level = clusters && (clusters.levels[1] ?? clusters.levels[0]);
    const middles = level
      ? centres(
          positions,
          Uint32Array.from(clusters.finest, (cluster) => level.ofFinest[cluster]!),
        )
      : null;
    painter.load(pairs, { positions, colors: this.scene.colorsOf(this.view), sphere, middles });
    return true;
  }

  /** Arcs are drawn like the points: a part of them during a movement, the others in steps at rest. */
  private drawArcs(frame: Frame, moving: boolean, redrawn: boolean): void {
    const shown = this.scene.store.state.arcs && this.scene.model.neighbors !== null;
    this.above.hidden = !shown;
    this.arcShare = shown ? this.arcShare : 1;
    if (!shown) return;
    if (!this.arcs) {
      this.arcs = Arcs.on(this.above, this.painter.software, () => (this.pointsStale = true));
      this.arcs?.resize(this.width, this.height, this.ratio);
    }
    const { arcs } = this;
    if (!arcs) return;
    if (this.arcsStale) this.loadArcs(arcs);
    const fresh = redrawn || this.arcsStale;
    this.arcsStale = false;
    if (fresh) {
      this.arcShare = arcs.sketch;
      arcs.draw(frame, 0, this.arcShare);
    } else if (this.arcShare < 1 && !moving) {
      const start = performance.now();
      const to = Math.min(1, this.arcShare + this.arcStep / Math.max(1, arcs.count));
      arcs.draw(frame, this.arcShare, to);
      arcs.finish();
      this.arcShare = to;
      this.arcStep = adapt(this.arcStep, 200, MOST_ARCS, performance.now() - start, RESTING_TIMES);
    }
  }

  private cleared(c: CanvasRenderingContext2D): CanvasRenderingContext2D {
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    return c;
  }

  private drawTop(frame: Frame, now: number, moving: boolean, hand: Hand): void {
    const { scene } = this;
    const wished = this.wishes.of(frame);
    const crowd = moving ? null : this.crowd(frame);
    this.labels = this.placer.place(
      frame,
      wished,
      this.blocked,
      areaOfNames(frame, hand.free),
      now,
      moving,
      scene.reducedMotion,
      crowd,
    );
    this.topStale = false;
    const surface = new CanvasSurface(this.cleared(this.topContext));
    this.paintTop(surface, frame, this.labels, moving);
    drawLasso(surface, hand.lasso, scene.theme);
    if (hand.crosshair) drawCrosshair(surface, hand.crosshair.x, hand.crosshair.y, hand.crosshair.radius, scene.theme);
  }

  /** All labels that have room in another frame of this map. */
  placeLabels(measure: Measure, frame: Frame): Label[] {
    const area = areaOfNames(frame, frame);
    return new Placer(measure).place(frame, this.wishes.of(frame), [], area, 0, false, true, this.crowd(frame));
  }

  /** Where points are, for names that should not cover them. */
  private crowd(frame: Frame): Crowd {
    return new Crowd(frame, this.placed.positions, this.scene.order);
  }

  /** Draws borders, images, edges, rings and labels. */
  paintTop(surface: Surface, frame: Frame, labels: readonly Label[], moving = false): void {
    const { scene, placed } = this;
    const { focus, hover } = scene.store.state;
    if (this.hasLand) drawBorders(surface, frame, this.borders ?? [], scene.theme, scene.mask ? 0.35 : 1, moving);
    this.drawSprites(surface, frame, labels, moving);
    if (focus >= 0) {
      drawEdges(surface, frame, placed.neighbors(focus).edges, scene.theme);
      drawRing(surface, frame, placed.positions, focus, this.radiusOf(frame, focus) + 4, scene.theme);
    }
    if (hover >= 0) drawRing(surface, frame, placed.positions, hover, this.radiusOf(frame, hover) + 3, scene.theme);
    drawLabels(surface, labels, scene.theme.ink, scene.theme.halo);
  }

  private drawSprites(surface: Surface, frame: Frame, labels: readonly Label[], moving: boolean): void {
    const { scene } = this;
    const size = this.spriteSize(frame);
    this.pictured.clear();
    if (!size || !scene.sheet) return;
    // With very many points, a few images show what is where, but they must not cover the points.
    const crowd = Math.max(0, 1 - this.spacing(frame) / size) ** 0.5;
    // The order is fixed: what the first items leave free is filled at rest, and no image goes away.
    const order = moving ? scene.order.subarray(0, MOST_MOVING_IMAGES) : scene.order;
    this.pictured = drawSprites(surface, frame, scene.sheet, this.placed.positions, order, size, {
      mask: scene.mask,
      ground: scene.theme.middle,
      apart: 1.04 + 1.6 * crowd,
      names: labels.filter((label) => label.kind !== "item"),
      color: (item) => scene.colorOf(this.view, item),
    });
  }
}

/** What the user holds over the map. */
export interface Hand {
  readonly free: Free;
  readonly lasso: readonly (readonly [number, number])[];
  readonly crosshair: { x: number; y: number; radius: number } | null;
}

/** Remembers the widths of texts. */
function remembered(measure: Measure): Measure {
  const widths = new Map<string, number>();
  return (text, size, kind) => {
    const key = `${size}${kind}${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      if (widths.size > 20000) widths.clear();
      width = measure(text, size, kind);
      widths.set(key, width);
    }
    return width;
  };
}

function layer(name: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = `layer ${name}`;
  if (name !== "labels") canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
