/** Draws the layers of a picture as the text of an SVG. */
import { type Gradient, type Pen, type ShapeStyle, type Surface, type TextStyle, TITLE_FONT } from "../draw/surface.ts";

/** Escapes a text for XML; characters that XML does not allow become the replacement character. */
export const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

export const round = (x: number): string => String(Math.round(x * 100) / 100);

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

export class SvgSurface implements Surface {
  readonly lines: string[] = [];
  private gradients = 0;

  path(draw: (pen: Pen) => void, style: ShapeStyle): void {
    const pen = new PathPen();
    draw(pen);
    if (pen.text) this.lines.push(`<path d="${pen.text}${style.closed ? "Z" : ""}"${this.style(style)}/>`);
  }

  circle(x: number, y: number, radius: number, style: ShapeStyle): void {
    this.lines.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"${this.style(style)}/>`);
  }

  box(x: number, y: number, width: number, height: number, radius: number, style: ShapeStyle): void {
    this.lines.push(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}"${this.style(style)}/>`,
    );
  }

  image(source: HTMLCanvasElement, x: number, y: number, width: number, height: number, opacity: number): void {
    const faint = opacity < 1 ? ` opacity="${round(opacity)}"` : "";
    this.lines.push(
      `<image x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${faint} href="${source.toDataURL("image/png")}"/>`,
    );
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const halo = style.halo
      ? ` stroke="${style.halo}" stroke-width="${style.haloWidth ?? 3}" stroke-linejoin="round" paint-order="stroke"`
      : "";
    const spacing = style.spacing ? ` letter-spacing="${round(style.spacing)}"` : "";
    const faint = (style.opacity ?? 1) < 1 ? ` opacity="${round(style.opacity!)}"` : "";
    const face = style.title ? ` font-family="${xml(TITLE_FONT)}"` : "";
    this.lines.push(
      `<text x="${round(x)}" y="${round(y)}" dy="0.35em" font-size="${style.size}" font-weight="${style.weight}" ` +
        `fill="${style.color}"${halo}${spacing}${faint}${face}>${xml(text)}</text>`,
    );
  }

  private style({ fill, stroke, width = 1, dash, opacity = 1 }: ShapeStyle): string {
    let filled = "none";
    if (typeof fill === "string") filled = fill;
    else if (fill) filled = `url(#${this.gradient(fill)})`;
    let text = ` fill="${filled}"`;
    if (stroke) text += ` stroke="${stroke}" stroke-width="${round(width)}"`;
    if (stroke && dash) text += ` stroke-dasharray="${dash.join(" ")}"`;
    return opacity < 1 ? `${text} opacity="${round(opacity)}"` : text;
  }

  private gradient(g: Gradient): string {
    const id = `gradient-${this.gradients++}`;
    const stops = g.stops.map(([place, color]) => `<stop offset="${place}" stop-color="${color}"/>`).join("");
    this.lines.push(
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${round(g.x)}" cy="${round(g.y)}" r="${round(g.radius)}" fx="${round(g.focusX)}" fy="${round(g.focusY)}">${stops}</radialGradient>`,
    );
    return id;
  }
}
