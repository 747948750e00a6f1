/** One embedding on the screen: where its items are, its camera, its picture, and when to draw it. */
import type { NeighborLists } from "../ask/neighbors.ts";
import { pick } from "../ask/pick.ts";
import type { View } from "../data/model.ts";
import type { Arcs } from "../draw/arcs-gl.ts";
import type { Label, Measure } from "../draw/labels.ts";
import type { Edge } from "../draw/overlay.ts";
import type { Look, PointPainter } from "../draw/points.ts";
import type { Box } from "../draw/rooms.ts";
import type { Surface } from "../draw/surface.ts";
import type { Bucket } from "../geometry/buckets.ts";
import type { Cells } from "../geometry/cells.ts";
import { type Extent, zoomFor } from "../geometry/extents.ts";
import { type Camera, Frame, type Free } from "../geometry/frame.ts";
import { type Projection, projections } from "../geometry/projection.ts";
import { unit, type Vector } from "../geometry/vector.ts";
import type { Scene } from "../scene.ts";
import type { Motion } from "./motion.ts";
import { Painter } from "./painter.ts";
import { Placed } from "./placed.ts";
import { type Next, Scheduler } from "./scheduler.ts";
import { Steering } from "./steering.ts";

const MORPH = 900;

export interface PaneEvents {
  /** The camera has moved. */
  moved(pane: Pane): void;
  /** The picture is complete and stays as it is. */
  rested(pane: Pane): void;
}

export class Pane {
  readonly element = document.createElement("div");
  free: Free = { x: 0, y: 0, width: 1, height: 1 };
  lasso: [number, number][] = [];
  private readonly placed: Placed;
  private readonly steering: Steering;
  private readonly painter: Painter;
  private readonly scheduler: Scheduler;
  private projection: Projection;
  private before: Projection;
  private morphStart = -Infinity;
  private morphing = false;
  private freeBefore: Free = this.free;
  /** Whether the keyboard is in use on this map: then it has a frame and a crosshair. */
  private keyed = false;
  private width = 1;
  private height = 1;

  constructor(
    readonly scene: Scene,
    readonly view: View,
    private readonly events: PaneEvents,
  ) {
    this.placed = new Placed(scene, view);
    this.steering = new Steering(
      view.space,
      () => scene.reducedMotion,
      () => this.redraw(),
    );
    this.scheduler = new Scheduler(
      (now) => this.draw(now),
      () => this.complete && events.rested(this),
    );
    this.painter = new Painter(scene, view, this.placed, this, () => this.redraw());
    this.element.className = "pane";
    this.element.append(...this.layers);
    this.projection = this.before = this.projectionFor();
    const { store } = scene;
    store.on(["projection"], () => this.project());
    store.on(["hover", "labels", "label", "linked", "tool", "focus"], () => this.redrawTop());
    store.on(["ghost", "sprites", "land", "arcs"], () => this.redraw());
    scene.onChange((what) => {
      if (what === "style") this.painter.restyle();
      this.painter.highlight();
      this.redraw();
    });
  }

  get camera(): Camera {
    return this.steering.camera;
  }

  get sphere(): boolean {
    return this.view.space === "sphere";
  }

  /** The selected projection, if this space has one. */
  projectionFor(): Projection {
    return this.sphere
      ? projections[this.scene.store.state.projection]
      : projections[this.view.space as "plane" | "space"];
  }

  private project(): void {
    const next = this.projectionFor();
    if (next === this.projection) return;
    this.before = this.projection;
    this.freeBefore = this.free;
    this.projection = next;
    this.morphStart = this.scene.reducedMotion ? -Infinity : performance.now();
    this.redraw();
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.painter.resize(width, height);
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

  // Where the items are.

  get positions(): Float32Array {
    return this.placed.positions;
  }

  setPositions(positions: Float32Array): void {
    this.placed.set(positions);
    this.painter.replace();
    this.moveNow();
  }

  get cells(): Cells {
    return this.placed.cells;
  }

  get extents(): readonly (readonly Extent[])[] {
    return this.placed.extents;
  }

  anchors(level: number): readonly (Vector | null)[] {
    return this.placed.anchors(level);
  }

  place(item: number): Vector {
    return this.placed.place(item);
  }

  farthest(item: number): { item: number; degrees: number } | null {
    return this.placed.farthest(item);
  }

  neighbors(item: number): { lists: NeighborLists; edges: Edge[] } {
    return this.placed.neighbors(item);
  }

  /** How many highlighted items are on the far side, and the mean direction of all of them. */
  hidden(): { far: number; all: number; middle: Vector | null } {
    const { mask } = this.scene;
    if (!mask || !this.sphere) return { far: 0, all: 0, middle: null };
    const frame = this.frame();
    const out = new Float64Array(3);
    const sum: [number, number, number] = [0, 0, 0];
    let [far, all] = [0, 0];
    for (let item = 0; item < mask.length; item++) {
      if (!mask[item]) continue;
      const [x, y, z] = this.place(item);
      frame.project(x, y, z, out);
      all++;
      if (out[2]! <= 0) far++;
      sum[0] += x;
      sum[1] += y;
      sum[2] += z;
    }
    return { far, all, middle: Math.hypot(...sum) > 1e-6 * all ? unit(sum) : null };
  }

  // The camera.

  get moving(): boolean {
    return this.steering.moving;
  }

  /** Whether the map moves by itself. */
  get flying(): boolean {
    return this.steering.flying;
  }

  /** Other code has moved the camera. */
  moveNow(): void {
    this.steering.touch();
    this.redraw();
    this.events.moved(this);
  }

  setMotion(motion: Motion | null): void {
    this.steering.set(motion);
  }

  fly(to: Partial<Camera>, duration?: number): void {
    this.steering.fly(to, duration);
  }

  /** Moves a position of the data to the centre, along the great circle. */
  flyTo(place: Vector): void {
    this.steering.flyTo(place);
  }

  flyToItem(item: number): void {
    this.steering.flyTo(this.place(item));
  }

  /** Moves an item to the centre and shows the whole map around it. */
  centreOn(item: number): void {
    this.steering.flyTo(this.place(item), 1);
  }

  /** Moves a cluster to the centre, so near that it fills a good part of the picture. */
  flyToCluster(level: number, cluster: number): void {
    const extent = this.extents[level]?.[cluster];
    if (extent) this.steering.flyTo(extent.middle, zoomFor(extent));
  }

  northUp(): void {
    this.steering.northUp();
  }

  /** If most highlighted items are on the far side, rotates to them. */
  faceStanding(): void {
    const { far, all, middle } = this.hidden();
    if (middle && far > 0.5 * all) this.flyTo(middle);
  }

  // The picture.

  redraw(): void {
    this.painter.pointsStale = true;
    this.scheduler.request();
  }

  redrawTop(): void {
    this.painter.topStale = true;
    this.scheduler.request();
  }

  private draw(now: number): Next {
    const { painter, steering } = this;
    if (steering.step()) {
      painter.pointsStale = true;
      this.events.moved(this);
    }
    const frame = this.frame();
    // The final frame of a transition must be drawn too.
    if (frame.morph < 1 || this.morphing) {
      painter.pointsStale = true;
      steering.touch();
    }
    this.morphing = frame.morph < 1;
    painter.draw(frame, now, this.moving, {
      free: this.free,
      lasso: this.lasso,
      crosshair: this.keyed ? this.crosshair : null,
    });
    if (this.flying || this.morphing || painter.unfinished || painter.pointsStale || painter.fading) return "frame";
    // One more frame at the end of a movement, for labels that appear at rest only.
    return this.moving ? "settle" : "rest";
  }

  setKeyed(keyed: boolean): void {
    this.keyed = keyed;
    this.top.classList.toggle("keyed", keyed);
    this.redrawTop();
  }

  /** The position for keyboard commands: the centre of the view. */
  get crosshair(): { x: number; y: number; radius: number } {
    const { x, y, width, height } = this.free;
    return { x: x + width / 2, y: y + height / 2, radius: Math.min(60, width / 6) };
  }

  /** Number of frames drawn so far. */
  get frames(): number {
    return this.scheduler.frames;
  }

  /** The share of the visible points that is drawn. */
  get share(): number {
    return this.painter.share;
  }

  /** Whether the frame shows all points. */
  get complete(): boolean {
    return !this.painter.pointsStale && !this.moving && !this.painter.unfinished;
  }

  /** Whether the frame is complete and no other frame will be drawn until something changes. */
  get resting(): boolean {
    return this.complete && this.scheduler.idle && !this.flying;
  }

  /** The item under a pixel, on the near side, within some pixels; −1 if there is none. */
  pick(px: number, py: number, reach = 10): number {
    const frame = this.frame();
    const radius = (item: number) => this.radiusOf(frame, item);
    // In space the depth is not known, so every point is checked.
    const cells = this.view.space === "space" ? null : this.cells;
    return pick(frame, this.positions, cells, this.scene.mask, px, py, reach, this.spriteSize(frame) / 2, radius);
  }

  get labels(): readonly Label[] {
    return this.painter.labels;
  }

  get pictured(): ReadonlySet<number> {
    return this.painter.pictured;
  }

  set blocked(areas: Box[]) {
    this.painter.blocked = areas;
  }

  /** Whether there is no graphics card to draw with. */
  get software(): boolean {
    return this.painter.software;
  }

  get withoutGl(): boolean {
    return this.painter.withoutGl;
  }

  /** The canvas that gets the events. */
  get top(): HTMLCanvasElement {
    return this.painter.top;
  }

  /** The canvases, from bottom to top. */
  get layers(): readonly HTMLCanvasElement[] {
    return [this.painter.base, this.painter.middle, this.painter.above, this.painter.top];
  }

  radiusOf(frame: Frame, item: number): number {
    return this.painter.radiusOf(frame, item);
  }

  spriteSize(frame: Frame): number {
    return this.painter.spriteSize(frame);
  }

  pointSize(frame: Frame): number {
    return this.painter.pointSize(frame);
  }

  // For exports.

  /** Whether there is land below the points. */
  get land(): boolean {
    return this.painter.hasLand;
  }

  look(frame: Frame): Look {
    return this.painter.look(frame, false);
  }

  load(painter: PointPainter): void {
    this.painter.load(painter);
  }

  loadArcs(painter: Arcs): boolean {
    return this.painter.loadArcs(painter);
  }

  inPicture(frame: Frame): Bucket[] {
    return this.painter.inPicture(frame);
  }

  placeLabels(measure: Measure, frame: Frame): Label[] {
    return this.painter.placeLabels(measure, frame);
  }

  paintTop(surface: Surface, frame: Frame, labels: readonly Label[]): void {
    this.painter.paintTop(surface, frame, labels);
  }
}
