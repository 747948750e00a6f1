/** A small map of the whole sphere beside the globe, so that the far side is never forgotten. */
import type { App } from "../app.ts";
import { drawBase, drawLine } from "../draw/base.ts";
import { CanvasSurface } from "../draw/surface.ts";
import { emptiestCut } from "../geometry/emptiest.ts";
import { Frame } from "../geometry/frame.ts";
import { projections } from "../geometry/projection.ts";
import { conjugate, type Quaternion, rotate, type Vector } from "../geometry/vector.ts";
import { h } from "./dom.ts";

const WIDTH = 232;
const HEIGHT = 116;
/** More points than this would not be seen in so small a map. */
const MOST_POINTS = 6000;

export interface Inset {
  element: HTMLElement;
  /** The camera has moved. */
  moved(): void;
}

export function inset(app: App): Inset | null {
  const pane = app.panes[0]!;
  if (app.panes.length > 1 || !pane.sphere) return null;
  const { store } = app;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const canvas = h("canvas", {
    class: "whole",
    width: WIDTH * ratio,
    height: HEIGHT * ratio,
    role: "img",
    "aria-label": "Small map of the whole sphere; the bright part is what the globe shows",
  });
  const element = h("figure", { class: "inset" }, canvas, h("figcaption", {}, "Bright: the side shown"));
  const camera = { orientation: emptiestCut(pane.positions, app.order), zoom: 1, panX: 0, panY: 0 };
  const free = { x: 4, y: 4, width: WIDTH - 8, height: HEIGHT - 8 };
  const frame = new Frame(WIDTH, HEIGHT, camera, free, projections.equalearth);
  const cells = directions(frame);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [canvas.width, canvas.height];
  const context = canvas.getContext("2d")!;
  const pictureContext = picture.getContext("2d")!;
  let stale = true;
  let asked = false;

  /** Everything but the outline of what is visible. */
  const drawPicture = () => {
    const c = pictureContext;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, WIDTH, HEIGHT);
    drawBase(new CanvasSurface(c), frame, app.theme);
    const out = new Float64Array(3);
    const size = app.model.count > 2000 ? 1.1 : 2;
    for (const item of app.order.subarray(0, MOST_POINTS)) {
      frame.project(...pane.place(item), out);
      const [r, g, b] = app.mask && app.mask[item] !== 1 ? app.theme.grey : app.colorOf(pane.view, item);
      c.fillStyle = `rgb(${r},${g},${b})`;
      c.fillRect(out[0]! - size / 2, out[1]! - size / 2, size, size);
    }
  };
  const draw = () => {
    asked = false;
    if (element.hidden) return;
    if (stale) drawPicture();
    stale = false;
    const c = context;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, canvas.width, canvas.height);
    // Dimmed as a whole, and bright where the globe shows it.
    c.globalAlpha = 0.38;
    c.drawImage(picture, 0, 0);
    c.globalAlpha = 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.save();
    c.beginPath();
    visiblePart(cells, pane.camera.orientation, c);
    c.clip();
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(picture, 0, 0);
    c.restore();
    new CanvasSurface(c).path((pen) => drawLine(frame, limb(pane.camera.orientation), pen), {
      stroke: app.theme.kept,
      width: 1.5,
    });
  };
  const request = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
  };
  const update = () => {
    const projection = projections[store.state.projection];
    element.hidden = projection.cut || projection.whole === true;
    stale = true;
    request();
  };
  store.on(["projection", "theme", "time"], update);
  app.onChange(update);
  let down = false;
  const turnTo = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * WIDTH) / box.width;
    const place = frame.unproject(x, ((event.clientY - box.top) * HEIGHT) / box.height);
    if (place) pane.flyTo(place);
  };
  canvas.addEventListener("pointerdown", (event) => {
    down = true;
    canvas.setPointerCapture(event.pointerId);
    turnTo(event);
  });
  canvas.addEventListener("pointermove", (event) => down && turnTo(event));
  canvas.addEventListener("pointerup", () => (down = false));
  canvas.addEventListener("pointercancel", () => (down = false));
  update();
  return { element, moved: request };
}

/** The great circle around what a globe with this orientation shows. */
function limb(orientation: Quaternion): Vector[] {
  const back = conjugate(orientation);
  return Array.from({ length: 121 }, (_, k) => {
    const a = (k / 120) * 2 * Math.PI;
    return rotate(back, [Math.cos(a), Math.sin(a), 0]);
  });
}

/** Size of the cells of the grid on the map, in pixels. */
const STEP = 2;

/** The directions of the cells of a grid on the map, row by row; NaN outside of it. They never change. */
function directions(frame: Frame): Float32Array {
  const out = new Float32Array((3 * WIDTH * HEIGHT) / (STEP * STEP)).fill(NaN);
  let at = 0;
  for (let y = 0; y < HEIGHT; y += STEP)
    for (let x = 0; x < WIDTH; x += STEP, at += 3) {
      const v = frame.unproject(x + STEP / 2, y + STEP / 2);
      if (v) out.set(v, at);
    }
  return out;
}

/** The visible half as cells of the grid: the half of a sphere has no simple outline on a map that is cut. */
function visiblePart(cells: Float32Array, orientation: Quaternion, c: CanvasRenderingContext2D): void {
  const [vx, vy, vz] = rotate(conjugate(orientation), [0, 0, 1]);
  let at = 0;
  for (let y = 0; y < HEIGHT; y += STEP) {
    let start = -1;
    for (let x = 0; x < WIDTH; x += STEP, at += 3) {
      const near = cells[at]! * vx + cells[at + 1]! * vy + cells[at + 2]! * vz > 0;
      if (near && start < 0) start = x;
      if (near || start < 0) continue;
      c.rect(start, y, x - start, STEP);
      start = -1;
    }
    if (start >= 0) c.rect(start, y, WIDTH - start, STEP);
  }
}
