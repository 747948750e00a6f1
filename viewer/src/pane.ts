/**
 * One embedding on the screen: a camera, three canvases (sphere, points, labels) and their drawing.
 *
 * Nothing is drawn unless something changed. During a movement, only as many points are drawn as take about a fortieth of
 * a second on this machine. At rest, the other points are added in steps until all are drawn.
 */
import type { App } from "./app.ts";
import { type NeighborLists, neighborLists } from "./ask/neighbors.ts";
import { pick } from "./ask/pick.ts";
import type { View } from "./data/model.ts";
import { drawBase } from "./draw/base.ts";
import { type Box, drawLabels, font, type Label, Placer } from "./draw/labels.ts";
import { drawCrosshair, drawEdges, drawLasso, drawRing, type Edge, edges } from "./draw/overlay.ts";
import type { Look, PointPainter } from "./draw/points.ts";
import { CanvasPoints } from "./draw/points-canvas.ts";
import { GlPoints } from "./draw/points-gl.ts";
import { drawSprites } from "./draw/sprites.ts";
import { type Bucket, buckets, byPatch, inPicture } from "./geometry/buckets.ts";
import { Cells } from "./geometry/cells.ts";
import { type Camera, Frame, type Free } from "./geometry/frame.ts";
import { type Projection, projections } from "./geometry/projection.ts";
import { identity, multiply, normalize, rotate, shortest, unit, type Vector } from "./geometry/vector.ts";
import { flight, type Motion } from "./motion.ts";
import { adapt, Pace } from "./pace.ts";
import { Wishes } from "./wishes.ts";

const MORPH = 900;
const FLIGHT = 900;
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

export class Pane {
  readonly element = document.createElement("div");
  readonly camera: Camera = { orientation: identity, zoom: 1, panX: 0, panY: 0 };
  /** The current positions: those of the view or, in an animation, of a snapshot. */
  positions: Float32Array;
  free: Free = { x: 0, y: 0, width: 1, height: 1 };
  /** Areas without labels. */
  blocked: Box[] = [];
  labels: Label[] = [];
  lasso: [number, number][] = [];
  /** Number of frames drawn so far; a test checks that it does not grow at rest. */
  frames = 0;
  /** The share of the visible points that is drawn. */
  share = 0;
  /** Whether the frame is a sketch that is redrawn at rest. */
  private sketched = false;
  readonly withoutGl: boolean;
  private readonly base = layer("base");
  private readonly middle = layer("points");
  readonly top = layer("labels");
  private readonly baseContext: CanvasRenderingContext2D;
  private readonly topContext: CanvasRenderingContext2D;
  private readonly painter: PointPainter;
  /** Drawing order: by patches, shuffled within each. */
  private readonly order: Uint32Array;
  private readonly starts: Uint32Array;
  private buckets: Bucket[] = [];
  private readonly placer: Placer;
  private cellsKnown: Cells | null = null;
  /** The typical distance to the nearest other item; null until it is needed. */
  private nearness: number | null = null;
  private readonly wishes = new Wishes(this);
  /** The items that are currently shown as images. */
  pictured = new Set<number>();
  private lists: { item: number; lists: NeighborLists; edges: Edge[] } | null = null;
  private projection: Projection;
  private before: Projection;
  private morphStart = -Infinity;
  private morphing = false;
  private freeBefore: Free = this.free;
  private motion: Motion | null = null;
  private scheduled = false;
  private pointsStale = true;
  /** Whether the highlighted points have changed since the last frame. */
  private layersStale = false;
  private lastMoved = -Infinity;
  /** Numbers of points drawn during a movement, and in one step at rest. */
  private movingCount: number;
  private restingCount: number;
  private lastTick = -Infinity;
  private readonly pace = new Pace(MOVING_TIMES);
  private topStale = true;
  private width = 1;
  private height = 1;
  private ratio = 1;

  constructor(
    readonly app: App,
    readonly view: View,
    readonly moved: (pane: Pane) => void,
  ) {
    this.positions = view.positions;
    ({ order: this.order, starts: this.starts } = byPatch(view.positions, app.order, view.space === "plane"));
    this.element.className = "pane";
    this.element.append(this.base, this.middle, this.top);
    const painter = GlPoints.on(this.middle, () => this.redraw());
    this.withoutGl = !painter;
    this.painter = painter ?? new CanvasPoints(this.middle);
    // A guess for software rendering; on faster machines the number grows within a few frames.
    this.movingCount = Math.min(app.model.count, painter ? 30_000 : 4_000);
    this.restingCount = 3 * this.movingCount;
    const settings: CanvasRenderingContext2DSettings = { willReadFrequently: this.painter.software };
    this.baseContext = this.base.getContext("2d", settings)!;
    this.topContext = this.top.getContext("2d", settings)!;
    const measuring = this.topContext;
    const widths = new Map<string, number>();
    this.placer = new Placer((text, size, bold) => {
      const key = `${size}${bold ? "b" : ""}${text}`;
      let width = widths.get(key);
      if (width === undefined) {
        measuring.font = font(size, bold);
        if (widths.size > 20000) widths.clear();
        width = measuring.measureText(text).width;
        widths.set(key, width);
      }
      return width;
    });
    this.projection = this.before = this.projectionFor();
    this.load(this.painter);
    app.store.on(["projection"], () => this.project());
    app.store.on(["hover", "labels", "label", "linked", "tool"], () => this.redrawTop());
    app.store.on(["focus"], () => {
      this.lists = null;
      this.redrawTop();
    });
    app.store.on(["ghost", "sprites"], () => this.redraw());
  }

  get sphere(): boolean {
    return this.view.space === "sphere";
  }

  get cells(): Cells {
    this.cellsKnown ??= new Cells(this.positions, this.view.space === "plane");
    return this.cellsKnown;
  }

  /** The selected projection, if this space has one. */
  projectionFor(): Projection {
    return this.sphere
      ? projections[this.app.store.state.projection]
      : projections[this.view.space as "plane" | "space"];
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

  setPositions(positions: Float32Array): void {
    this.positions = positions;
    this.cellsKnown = null;
    this.nearness = null;
    this.lists = null;
    this.wishes.forget();
    const sorted = this.inOrder(positions);
    this.buckets = buckets(sorted, this.starts);
    this.painter.setPositions(sorted);
    this.moveNow();
  }

  restyle(): void {
    const { colors, sizes } = this.app.appearance(this.view, this.order);
    this.painter.setColors(colors, sizes);
    this.layersStale = true;
    this.wishes.forget();
    this.redraw();
  }

  /** The highlighted points have changed. */
  relayer(): void {
    this.layersStale = true;
    this.redraw();
  }

  private project(): void {
    const next = this.projectionFor();
    if (next === this.projection) return;
    this.before = this.projection;
    this.freeBefore = this.free;
    this.projection = next;
    this.morphStart = this.app.reducedMotion ? -Infinity : performance.now();
    this.redraw();
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
    this.redraw();
  }

  /** The frame for the current camera. */
  frame(now = performance.now()): Frame {
    const t = Math.max(0, Math.min(1, (now - this.morphStart) / MORPH));
    const morph = t * t * (3 - 2 * t);
    return new Frame(
      this.width,
      this.height,
      this.camera,
      this.free,
      this.projection,
      this.before,
      morph,
      this.freeBefore,
    );
  }

  private spacing(frame: Frame): number {
    return frame.radius * Math.sqrt((this.sphere ? 4 * Math.PI : 4) / Math.max(1, this.app.model.count));
  }

  /** Diameter of a point of size 1, in CSS pixels. */
  pointSize(frame: Frame): number {
    const size = Math.min(16, 1.35 * Math.max(1, this.spacing(frame)) ** 0.44);
    // Points are smaller if there are images.
    return this.spriteSize(frame) > 0 ? 0.6 * size : size;
  }

  look(frame: Frame): Look {
    const pointSize = this.pointSize(frame);
    const spacing = this.spacing(frame);
    const dense = this.app.model.count > DENSE_COUNT && spacing < DENSE_SPACING;
    const mean = (0.785 * pointSize * pointSize) / (spacing * spacing);
    return {
      pointSize,
      ghost: this.app.store.state.ghost ? 0.12 : 0,
      layered: this.app.mask !== null,
      grey: this.app.theme.grey,
      dark: this.app.theme.dark,
      knee: dense ? Math.max(0.35, 0.8 * mean) : null,
      sketch: this.moving && this.painter.software,
    };
  }

  /** The size of the images; 0 if there are none. */
  spriteSize(frame: Frame): number {
    if (!this.app.sheet || !this.app.store.state.sprites) return 0;
    return Math.max(LEAST_IMAGE, Math.min(72, this.localSpacing(frame) * 0.75));
  }

  /** The typical distance of items within clusters, in pixels: about twice the distance to the nearest item. */
  private localSpacing(frame: Frame): number {
    if (this.nearness === null) {
      const distances = Array.from(
        this.app.order.slice(0, 200),
        (item) => this.cells.nearest(...this.place(item), 1, item)[0]?.distance ?? 1,
      );
      this.nearness = distances.sort((a, b) => a - b)[distances.length >> 1] ?? 1;
    }
    return 2 * this.nearness * frame.scale;
  }

  get moving(): boolean {
    return this.motion !== null || performance.now() - this.lastMoved < 140;
  }

  /** Other code has moved the camera. */
  moveNow(): void {
    this.lastMoved = performance.now();
    this.redraw();
    this.moved(this);
  }

  setMotion(motion: Motion | null): void {
    this.motion = motion;
    if (motion) this.redraw();
  }

  fly(to: Partial<Camera>, duration = FLIGHT): void {
    const target = { ...this.camera, ...to };
    this.setMotion(flight({ ...this.camera }, target, performance.now(), this.app.reducedMotion ? 0 : duration));
  }

  /** Moves a position of the data to the centre, along the great circle. */
  flyTo(place: Vector, zoom = this.camera.zoom): void {
    if (!this.sphere) {
      if (this.view.space === "plane") this.fly({ panX: place[0], panY: place[1], zoom });
      return;
    }
    const seen = rotate(this.camera.orientation, place);
    this.fly({ orientation: normalize(multiply(shortest(seen, [0, 0, 1]), this.camera.orientation)), zoom });
  }

  place(item: number): Vector {
    return [this.positions[3 * item]!, this.positions[3 * item + 1]!, this.positions[3 * item + 2]!];
  }

  flyToItem(item: number): void {
    this.flyTo(this.place(item));
  }

  /** If most highlighted items are on the far side, rotates to them. */
  faceStanding(): void {
    const { mask } = this.app;
    if (!mask || !this.sphere) return;
    const frame = this.frame();
    const out = new Float64Array(3);
    const sum: [number, number, number] = [0, 0, 0];
    let [near, all] = [0, 0];
    for (let item = 0; item < mask.length; item++) {
      if (!mask[item]) continue;
      const [x, y, z] = this.place(item);
      frame.project(x, y, z, out);
      all++;
      if (out[2]! > 0.2) near++;
      sum[0] += x;
      sum[1] += y;
      sum[2] += z;
    }
    if (all > 0 && near < 0.35 * all && Math.hypot(...sum) > 1e-6 * all) this.flyTo(unit(sum));
  }

  /** Rotates the view so that north is up, without moving the centre. */
  northUp(): void {
    if (!this.sphere) {
      this.fly({ orientation: identity, zoom: 1, panX: 0, panY: 0 });
      return;
    }
    const [x, y] = rotate(this.camera.orientation, [0, 1, 0]);
    // If the centre is a pole, no direction is north: rotate the pole to the top first.
    const twist = Math.hypot(x, y) < 1e-6 ? 0 : Math.atan2(x, y);
    const roll = [0, 0, Math.sin(twist / 2), Math.cos(twist / 2)] as const;
    this.fly({ orientation: normalize(multiply(roll, this.camera.orientation)) }, 500);
  }

  redraw(): void {
    this.pointsStale = true;
    this.schedule();
  }

  redrawTop(): void {
    this.topStale = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.scheduled = false;
    this.frames++;
    if (this.motion) {
      if (!this.motion.step(this.camera, performance.now())) this.motion = null;
      this.lastMoved = performance.now();
      this.pointsStale = true;
      this.moved(this);
    }
    const frame = this.frame();
    // The final frame of a transition must be drawn too.
    if (frame.morph < 1 || this.morphing) {
      this.pointsStale = true;
      this.lastMoved = performance.now();
    }
    this.morphing = frame.morph < 1;
    const look = this.look(frame);
    const seen = this.inPicture(frame);
    const count = Math.max(
      1,
      seen.reduce((sum, bucket) => sum + bucket.end - bucket.start, 0),
    );
    if (this.pointsStale) {
      // The interval before the first frame after a rest is meaningless: it includes the rest.
      if (this.moving && this.wasMoving)
        this.movingCount = this.pace.next(this.movingCount, LEAST_MOVING, count, now - this.lastTick);
      else this.pace.reset();
      this.lastTick = now;
      if (this.layersStale) this.painter.setLayers(this.app.layers(this.order));
      this.layersStale = false;
      this.drawBase(frame);
      this.share = Math.min(1, this.movingCount / count);
      this.painter.draw(frame, look, seen, 0, this.share);
      this.sketched = look.sketch && look.knee !== null;
      this.pointsStale = false;
      this.topStale = true;
    } else if (this.unfinished && !this.moving) {
      const start = performance.now();
      if (this.sketched) this.share = 0;
      this.sketched = false;
      const to = Math.min(1, this.share + this.restingCount / count);
      this.painter.draw(frame, look, seen, this.share, to);
      this.painter.finish();
      this.share = to;
      this.restingCount = adapt(this.restingCount, count / 20, count, performance.now() - start, RESTING_TIMES);
    }
    if (this.topStale || this.placer.fading(now) || this.wasMoving !== this.moving) this.drawTop(frame, now);
    this.wasMoving = this.moving;
    if (this.motion || frame.morph < 1 || this.unfinished || this.pointsStale || this.placer.fading(now))
      this.schedule();
    // One more frame at the end of a movement, for labels that appear at rest only.
    else if (this.moving) this.settle();
  }

  private wasMoving = false;

  private settling: ReturnType<typeof setTimeout> | undefined;

  private settle(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      this.schedule();
    }, 150);
  }

  private drawBase(frame: Frame): void {
    const c = this.baseContext;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    drawBase(c, frame, this.app.theme);
  }

  /** The position for keyboard commands: the centre of the view. */
  get crosshair(): { x: number; y: number; radius: number } {
    const { x, y, width, height } = this.free;
    return { x: x + width / 2, y: y + height / 2, radius: Math.min(60, width / 6) };
  }

  private drawTop(frame: Frame, now: number): void {
    const c = this.topContext;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    this.labels = this.placer.place(
      frame,
      this.wishes.of(frame),
      this.blocked,
      Math.round((this.free.width * this.free.height) / 4500),
      now,
      this.moving,
      this.app.reducedMotion,
    );
    this.topStale = false;
    this.paintTop(c, frame, this.labels);
    const { theme } = this.app;
    drawLasso(c, this.lasso, theme);
    if (this.top.matches(":focus-visible")) {
      const { x, y, radius } = this.crosshair;
      drawCrosshair(c, x, y, radius, theme);
    }
  }

  /** All labels that have room in another frame of this pane. */
  placeLabels(placer: Placer, frame: Frame): Label[] {
    const most = Math.round((frame.width * frame.height) / 4500);
    return placer.place(frame, this.wishes.of(frame), [], most, 0, false, true);
  }

  /** Sends the points of this pane to a painter. */
  load(painter: PointPainter): void {
    const sorted = this.inOrder(this.positions);
    this.buckets = buckets(sorted, this.starts);
    painter.setPositions(sorted);
    const { colors, sizes } = this.app.appearance(this.view, this.order);
    painter.setColors(colors, sizes);
    painter.setLayers(this.app.layers(this.order));
  }

  /** The points that may be visible in a frame. */
  inPicture(frame: Frame): Bucket[] {
    return this.buckets.filter((bucket) => inPicture(frame, bucket, this.app.store.state.ghost));
  }

  private get unfinished(): boolean {
    return this.share < 1 || this.sketched;
  }

  /** Whether the frame shows all points. */
  get complete(): boolean {
    return !this.pointsStale && !this.moving && !this.unfinished;
  }

  /** Whether the frame is complete and no other frame will be drawn until something changes. */
  get resting(): boolean {
    return this.complete && !this.scheduled && this.settling === undefined && this.motion === null;
  }

  /** Draws images, edges, rings and labels; also used for exports. */
  paintTop(c: CanvasRenderingContext2D, frame: Frame, labels: readonly Label[]): void {
    const { app } = this;
    const { focus, hover } = app.store.state;
    this.drawSprites(c, frame);
    if (focus >= 0) {
      drawEdges(c, frame, this.neighbors(focus).edges, app.theme);
      drawRing(c, frame, this.positions, focus, this.radiusOf(frame, focus) + 4, app.theme);
    }
    if (hover >= 0) drawRing(c, frame, this.positions, hover, this.radiusOf(frame, hover) + 3, app.theme);
    drawLabels(c, labels, app.theme.ink, app.theme.halo);
  }

  /** Half of the size of an item on the screen. */
  radiusOf(frame: Frame, item: number): number {
    return this.pictured.has(item) ? this.spriteSize(frame) / 2 : (this.pointSize(frame) * this.app.sizeOf(item)) / 2;
  }

  neighbors(item: number): { lists: NeighborLists; edges: Edge[] } {
    if (this.lists?.item !== item) {
      const lists = neighborLists(this.app.model, this.positions, this.cells, item, this.sphere);
      this.lists = { item, lists, edges: edges(this.positions, item, lists, this.sphere) };
    }
    return this.lists;
  }

  private drawSprites(c: CanvasRenderingContext2D, frame: Frame): void {
    const { app } = this;
    const size = this.spriteSize(frame);
    this.pictured.clear();
    if (!size || !app.sheet) return;
    // With very many points, a few images show what is where, but they must not cover the points.
    const crowd = Math.max(0, 1 - this.spacing(frame) / size) ** 0.5;
    this.pictured = drawSprites(c, frame, app.sheet, this.positions, app.order, size, {
      mask: app.mask,
      ground: app.theme.middle,
      apart: 1.02 + 1.6 * crowd,
      color: (item) => app.colorOf(this.view, item),
    });
  }

  /** The item under a pixel, on the near side, within some pixels; −1 if there is none. */
  pick(px: number, py: number, reach = 10): number {
    const frame = this.frame();
    const radius = (item: number) => this.radiusOf(frame, item);
    // In space the depth is not known, so every point is checked.
    const cells = this.view.space === "space" ? null : this.cells;
    return pick(frame, this.positions, cells, this.app.mask, px, py, reach, this.spriteSize(frame) / 2, radius);
  }

  /** The images of the canvases, from bottom to top; for tests and for the fallback of an export. */
  get layers(): readonly HTMLCanvasElement[] {
    return [this.base, this.middle, this.top];
  }
}

function layer(name: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = `layer ${name}`;
  if (name !== "labels") canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
