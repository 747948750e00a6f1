/** Exports the panes as pictures: PNG of any size up to 8K, and SVG with vector graphics. Both draw the layers of the screen. */
import type { App } from "../app.ts";
import { entryColor, rampShade, rampValue, titleOf } from "../color/coloring.ts";
import { css, rampColor } from "../color/palette.ts";
import { formatNumber } from "../data/model.ts";
import { Arcs } from "../draw/arcs-gl.ts";
import { drawBase } from "../draw/base.ts";
import { type Label, measureBy, oneLine, spaced } from "../draw/labels.ts";
import { CanvasPoints, drawPoint } from "../draw/points-canvas.ts";
import { GlPoints } from "../draw/points-gl.ts";
import { CanvasSurface, FONT, type Surface } from "../draw/surface.ts";
import { Frame } from "../geometry/frame.ts";
import type { Pane } from "../pane/pane.ts";
import { round, SvgSurface, xml } from "./svg-surface.ts";

/** Up to this number, points are circles in an SVG; above, they are an image under vector labels. */
export const MOST_CIRCLES = 50_000;
/** The layout has this width and is then scaled, so that texts and points grow with the picture. */
const LAYOUT_WIDTH = 1200;
const MARGIN = 28;
const LEGEND_WIDTH = 190;
const LEGEND_ROW = 24;

export interface PictureOptions {
  width: number;
  height: number;
  transparent: boolean;
  legend: boolean;
}

interface Part {
  pane: Pane;
  frame: Frame;
  labels: Label[];
  x: number;
  y: number;
}

interface Layout {
  width: number;
  height: number;
  scale: number;
  parts: Part[];
  legend: Legend | null;
}

interface Legend {
  heading: string;
  rows: { color: string; text: string }[];
}

function layout(app: App, options: PictureOptions): Layout {
  const scale = options.width / LAYOUT_WIDTH;
  const [width, height] = [LAYOUT_WIDTH, options.height / scale];
  const legend = options.legend ? legendOf(app) : null;
  const side = legend ? LEGEND_WIDTH : 0;
  const [top, bottom] = [headHeight(app), app.model.source ? 34 : 0];
  const each = (width - side) / app.panes.length;
  const measure = measureBy(document.createElement("canvas").getContext("2d")!);
  const parts = app.panes.map((pane, i) => {
    const tall = height - top - bottom;
    const free = { x: 16, y: 10, width: each - 32, height: tall - 26 };
    const frame = new Frame(each, tall, pane.camera, free, pane.frame().to);
    return { pane, frame, labels: pane.placeLabels(measure, frame), x: i * each, y: top };
  });
  return { width, height, scale, parts, legend };
}

const headHeight = (app: App): number => (app.model.subtitle ? 84 : 62);

/** A short legend of the colours. */
function legendOf(app: App): Legend | null {
  const coloring = app.coloring(app.model.views[0]!);
  const { dark } = app.theme;
  if (coloring.kind === "plain") return null;
  const heading = oneLine(titleOf(coloring.column.name), 22);
  if (coloring.kind === "classes") {
    const rows = coloring.entries.map((e, place) => ({
      color: css(entryColor(coloring, place, dark)),
      text: oneLine(spaced(e.name), 22),
    }));
    return { heading, rows };
  }
  const rows = [1, 0.75, 0.5, 0.25, 0].map((place) => ({
    color: css(rampColor(app.store.state.ramp, rampShade(coloring, place), dark)),
    text: formatNumber(Number(rampValue(coloring, place).toPrecision(3)), coloring.column.years),
  }));
  return { heading, rows };
}

/** Title, subtitle, source and legend. */
function drawFrame(surface: Surface, app: App, { width, height, legend }: Layout): void {
  const { model, theme } = app;
  const [ink, muted] = [theme.ink, theme.muted];
  surface.text(oneLine(model.title, 90), MARGIN, 34, { size: 27, weight: 700, color: ink, title: true });
  if (model.subtitle) surface.text(oneLine(model.subtitle, 130), MARGIN, 63, { size: 15, weight: 400, color: muted });
  if (model.source)
    surface.text(oneLine(model.source, 160), MARGIN, height - 18, { size: 12, weight: 400, color: muted });
  if (!legend) return;
  const x = width - LEGEND_WIDTH + 20;
  const top = height / 2 - (legend.rows.length * LEGEND_ROW) / 2;
  surface.text(legend.heading, x - 6, top - 14, { size: 13, weight: 680, color: muted });
  legend.rows.forEach(({ color, text }, i) => {
    const y = top + (i + 0.5) * LEGEND_ROW;
    surface.circle(x, y, 6, { fill: color });
    surface.text(text, x + 14, y, { size: 14, weight: 500, color: ink });
  });
}

/** What a painter has drawn, as a copy that stays when the painter's context is given back. */
function kept(canvas: HTMLCanvasElement, painter: { finish(): void; dispose(): void }): HTMLCanvasElement {
  painter.finish();
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext("2d")!.drawImage(canvas, 0, 0);
  painter.dispose();
  return copy;
}

/** The points and the land below them, or only the land, as an image. */
function paintPoints(part: Part, scale: number, points = true): HTMLCanvasElement {
  const { pane, frame } = part;
  const canvas = document.createElement("canvas");
  const painter = GlPoints.on(canvas, () => {}) ?? new CanvasPoints(canvas);
  painter.resize(frame.width, frame.height, scale);
  pane.load(painter);
  const look = { ...pane.look(frame), sketch: false };
  painter.draw(frame, points ? look : { ...look, knee: null }, points ? pane.inPicture(frame) : [], 0, 1);
  return kept(canvas, painter);
}

/** The arcs above the points as an image; null if there are none. */
function paintArcs({ pane, frame }: Part, scale: number): HTMLCanvasElement | null {
  const canvas = document.createElement("canvas");
  const arcs = pane.scene.store.state.arcs ? Arcs.on(canvas, false, () => {}) : null;
  if (!arcs || !pane.loadArcs(arcs)) return null;
  arcs.resize(frame.width, frame.height, scale);
  arcs.draw(frame, 0, 1);
  return kept(canvas, arcs);
}

export async function png(app: App, options: PictureOptions): Promise<Blob> {
  const plan = layout(app, options);
  const { scale } = plan;
  const canvas = document.createElement("canvas");
  canvas.width = options.width;
  canvas.height = options.height;
  const c = canvas.getContext("2d")!;
  const surface = new CanvasSurface(c);
  if (!options.transparent) {
    c.fillStyle = app.theme.page;
    c.fillRect(0, 0, canvas.width, canvas.height);
  }
  for (const part of plan.parts) {
    c.setTransform(scale, 0, 0, scale, part.x * scale, part.y * scale);
    drawBase(surface, part.frame, app.theme);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(paintPoints(part, scale), Math.round(part.x * scale), Math.round(part.y * scale));
    const arcs = paintArcs(part, scale);
    if (arcs) c.drawImage(arcs, Math.round(part.x * scale), Math.round(part.y * scale));
    c.setTransform(scale, 0, 0, scale, part.x * scale, part.y * scale);
    part.pane.paintTop(surface, part.frame, part.labels);
    part.pane.redrawTop();
  }
  c.setTransform(scale, 0, 0, scale, 0, 0);
  drawFrame(surface, app, plan);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("This browser cannot make a picture of this size. Choose a smaller width.");
  return blob;
}

export function svg(app: App, options: PictureOptions): string {
  const plan = layout(app, options);
  const { width, height, scale } = plan;
  const surface = new SvgSurface();
  const out = surface.lines;
  out.push(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" font-family="${xml(FONT)}">`,
    `<title>${xml(app.model.title)}</title>`,
  );
  if (!options.transparent) out.push(`<rect width="100%" height="100%" fill="${app.theme.page}"/>`);
  for (const part of plan.parts) {
    out.push(`<g transform="translate(${round(part.x)} ${round(part.y)})">`);
    drawBase(surface, part.frame, app.theme);
    if (app.model.count <= MOST_CIRCLES) {
      if (part.pane.land) surface.image(paintPoints(part, 2, false), 0, 0, part.frame.width, part.frame.height, 1);
      circles(surface, part);
    } else {
      const picture = paintPoints(part, Math.min(4, Math.max(2, scale)));
      surface.image(picture, 0, 0, part.frame.width, part.frame.height, 1);
    }
    const arcs = paintArcs(part, Math.min(4, Math.max(2, scale)));
    if (arcs) surface.image(arcs, 0, 0, part.frame.width, part.frame.height, 1);
    part.pane.paintTop(surface, part.frame, part.labels);
    part.pane.redrawTop();
    out.push("</g>");
  }
  drawFrame(surface, app, plan);
  out.push("</svg>");
  return out.join("\n");
}

/** The points as circles: greyed ones first, as on the screen. */
function circles(surface: SvgSurface, { pane, frame }: Part): void {
  const { scene } = pane;
  const { mask } = scene;
  const look = pane.look(frame);
  const out = new Float64Array(3);
  for (const layer of mask ? [0, 1] : [1]) {
    for (const item of scene.order) {
      if (mask && Number(mask[item] === 1) !== layer) continue;
      frame.project(...pane.place(item), out);
      const [x, y] = [out[0]!, out[1]!];
      const size = look.pointSize;
      if (x < -size || x > frame.width + size || y < -size || y > frame.height + size) continue;
      drawPoint(
        look,
        layer === 1,
        out[2]!,
        look.pointSize * scene.sizeOf(item),
        scene.colorOf(pane.view, item),
        (r, style) => surface.circle(x, y, r, style),
      );
    }
  }
}
