/** Exports the panes as pictures: PNG of any size up to 8K, and SVG with vector graphics. */
import type { App } from "../app.ts";
import { entryColor, NAMES, rampValue } from "../color/coloring.ts";
import { css, rampColor } from "../color/palette.ts";
import { formatNumber } from "../data/model.ts";
import { drawBase, drawGraticule, drawLine, outlineOnScreen, type Pen } from "../draw/base.ts";
import { FONT, font, type Label, oneLine, Placer } from "../draw/labels.ts";
import { CanvasPoints } from "../draw/points-canvas.ts";
import { GlPoints } from "../draw/points-gl.ts";
import { Frame } from "../geometry/frame.ts";
import type { Pane } from "../pane.ts";

/** Up to this number, points are circles in an SVG; above, they are an image under vector labels. */
export const MOST_CIRCLES = 50_000;
/** The layout has this width and is then scaled, so that texts and points grow with the picture. */
const LAYOUT_WIDTH = 1200;

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
}

interface Layout {
  width: number;
  height: number;
  scale: number;
  parts: Part[];
  legend: { color: string; text: string }[];
}

function layout(app: App, options: PictureOptions): Layout {
  const scale = options.width / LAYOUT_WIDTH;
  const [width, height] = [LAYOUT_WIDTH, options.height / scale];
  const legend = options.legend ? legendRows(app) : [];
  const side = legend.length ? 190 : 0;
  const each = (width - side) / app.panes.length;
  const context = document.createElement("canvas").getContext("2d")!;
  const parts = app.panes.map((pane, i) => {
    const free = { x: 16, y: 16, width: each - 32, height: height - 32 };
    const { to } = pane.frame();
    const frame = new Frame(each, height, pane.camera, free, to);
    const placer = new Placer((text, size, bold) => {
      context.font = font(size, bold);
      return context.measureText(text).width;
    });
    return { pane, frame, labels: pane.placeLabels(placer, frame), x: i * each };
  });
  return { width, height, scale, parts, legend };
}

/** A short legend of the colours. */
function legendRows(app: App): { color: string; text: string }[] {
  const coloring = app.coloring(app.model.views[0]!);
  const { dark } = app.theme;
  if (coloring.kind === "classes") {
    return coloring.entries.map((e, place) => ({
      color: css(entryColor(coloring, place, dark)),
      text: oneLine(e.name, 22),
    }));
  }
  if (coloring.kind === "plain") return [];
  const name = NAMES[coloring.column.name] ?? oneLine(coloring.column.name, 22);
  const rows = [1, 0.75, 0.5, 0.25, 0].map((place) => ({
    color: css(rampColor(app.store.state.ramp, place, dark)),
    text: formatNumber(Number(rampValue(coloring, place).toPrecision(3))),
  }));
  return [{ color: "transparent", text: name }, ...rows];
}

function paintPoints(part: Part, height: number, scale: number): HTMLCanvasElement {
  const { pane, frame } = part;
  const canvas = document.createElement("canvas");
  const painter = GlPoints.on(canvas, () => {}) ?? new CanvasPoints(canvas);
  painter.resize(frame.width, height, scale);
  pane.load(painter);
  painter.draw(frame, { ...pane.look(frame), sketch: false }, pane.inPicture(frame), 0, 1);
  painter.finish();
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext("2d")!.drawImage(canvas, 0, 0);
  painter.dispose();
  return copy;
}

export async function png(app: App, options: PictureOptions): Promise<Blob> {
  const { scale, parts, legend, width, height } = layout(app, options);
  const canvas = document.createElement("canvas");
  canvas.width = options.width;
  canvas.height = options.height;
  const c = canvas.getContext("2d")!;
  if (!options.transparent) {
    c.fillStyle = app.theme.page;
    c.fillRect(0, 0, canvas.width, canvas.height);
  }
  for (const part of parts) {
    c.setTransform(scale, 0, 0, scale, part.x * scale, 0);
    drawBase(c, part.frame, app.theme);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(paintPoints(part, height, scale), Math.round(part.x * scale), 0);
    c.setTransform(scale, 0, 0, scale, part.x * scale, 0);
    part.pane.paintTop(c, part.frame, part.labels);
  }
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.textBaseline = "middle";
  c.font = font(14, false);
  legend.forEach(({ color, text }, i) => {
    const y = height / 2 + (i - (legend.length - 1) / 2) * 24;
    c.fillStyle = color;
    c.beginPath();
    c.arc(width - 170, y, 6, 0, 2 * Math.PI);
    c.fill();
    c.fillStyle = app.theme.ink;
    c.fillText(text, width - 156, y);
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("This browser cannot make a picture of this size. Choose a smaller width.");
  return blob;
}

/** Escapes a text for XML; characters that XML does not allow become the replacement character. */
export const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const round = (x: number) => String(Math.round(x * 100) / 100);

/** Collects lines as the text of an SVG path. */
class PathPen implements Pen {
  text = "";
  moveTo(x: number, y: number): void {
    this.text += `M${round(x)} ${round(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.text += `L${round(x)} ${round(y)}`;
  }
}

export function svg(app: App, options: PictureOptions): string {
  const { width, height, scale, parts, legend } = layout(app, options);
  const { theme } = app;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" font-family="${xml(FONT)}">`,
    `<title>${xml(app.model.title)}</title>`,
  ];
  if (!options.transparent) out.push(`<rect width="100%" height="100%" fill="${theme.page}"/>`);
  for (const part of parts) {
    out.push(`<g transform="translate(${round(part.x)} 0)">`);
    const { frame, pane } = part;
    if (pane.sphere) {
      const edge = outlineOnScreen(frame)
        .map(([x, y]) => `${round(x)},${round(y)}`)
        .join(" ");
      out.push(`<polygon points="${edge}" fill="${theme.limb}" stroke="${theme.outline}"/>`);
      const pen = new PathPen();
      drawGraticule(frame, pen);
      out.push(`<path d="${pen.text}" fill="none" stroke="${theme.graticule}"/>`);
    }
    if (app.model.count <= MOST_CIRCLES) out.push(...circles(part));
    else {
      const picture = paintPoints(part, height, Math.min(4, Math.max(2, scale))).toDataURL("image/png");
      out.push(`<image width="${round(frame.width)}" height="${round(height)}" href="${picture}"/>`);
    }
    const { focus } = app.store.state;
    if (focus >= 0) {
      for (const edge of pane.neighbors(focus).edges) {
        const pen = new PathPen();
        drawLine(frame, edge.line, pen);
        const dash = edge.shared ? "" : ' stroke-dasharray="5 4"';
        out.push(
          `<path d="${pen.text}" fill="none" stroke="${edge.shared ? theme.kept : theme.torn}" stroke-width="${round(0.8 + 1.7 * edge.strength)}"${dash}/>`,
        );
      }
    }
    for (const label of part.labels) {
      out.push(
        `<text x="${round(label.x)}" y="${round(label.y + label.height / 2)}" dy="0.35em" font-size="${label.size}" ` +
          `font-weight="${label.color ? 650 : 500}" fill="${label.color ?? theme.ink}" stroke="${theme.halo}" ` +
          `stroke-width="3" stroke-linejoin="round" paint-order="stroke">${xml(label.text)}</text>`,
      );
    }
    out.push("</g>");
  }
  legend.forEach(({ color, text }, i) => {
    const y = height / 2 + (i - (legend.length - 1) / 2) * 24;
    out.push(`<circle cx="${round(width - 170)}" cy="${round(y)}" r="6" fill="${color}"/>`);
    out.push(
      `<text x="${round(width - 156)}" y="${round(y)}" dy="0.35em" font-size="14" fill="${theme.ink}">${xml(text)}</text>`,
    );
  });
  out.push("</svg>");
  return out.join("\n");
}

function circles({ pane, frame }: Part): string[] {
  const { app } = pane;
  const { mask, order, theme } = app;
  const size = pane.pointSize(frame);
  const out = new Float64Array(3);
  const circle = (item: number): string => {
    const [x, y, z] = pane.place(item);
    frame.project(x, y, z, out);
    const stands = !mask || mask[item] === 1;
    const far = out[2]! <= 0;
    if (
      (far && !app.store.state.ghost) ||
      out[0]! < -size ||
      out[0]! > frame.width + size ||
      out[1]! < -size ||
      out[1]! > frame.height + size
    )
      return "";
    const alpha = far ? 0.12 : (stands ? 0.92 : 0.35) * (0.25 + 0.75 * Math.min(1, out[2]! / 0.4));
    const [r, g, b] = stands ? app.colorOf(pane.view, item) : theme.grey;
    const radius = (size * app.sizeOf(item)) / 2;
    return `<circle cx="${round(out[0]!)}" cy="${round(out[1]!)}" r="${round(radius)}" fill="rgb(${r},${g},${b})" fill-opacity="${round(alpha)}"/>`;
  };
  const [under, over]: [string[], string[]] = [[], []];
  for (const item of order) (!mask || mask[item] === 1 ? over : under).push(circle(item));
  return [...under, ...over].filter(Boolean);
}
