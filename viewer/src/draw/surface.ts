/**
 * What the layers of a picture are drawn on: a 2D canvas on the screen and in a PNG, or the text of an SVG. Every layer is
 * described once, in terms of this interface, so that exports show what the screen shows.
 */

/** A target for lines: a canvas, or the path of an SVG. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** A radial gradient; the light comes from the focus. */
export interface Gradient {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly focusX: number;
  readonly focusY: number;
  readonly stops: readonly (readonly [place: number, color: string])[];
}

export interface ShapeStyle {
  readonly fill?: string | Gradient;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly closed?: boolean;
  readonly opacity?: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: number;
  readonly color: string;
  readonly halo?: string;
  readonly haloWidth?: number;
  readonly opacity?: number;
  readonly spacing?: number;
  /** Whether it is a title, in the typeface of titles. */
  readonly title?: boolean;
}

export interface Surface {
  path(draw: (pen: Pen) => void, style: ShapeStyle): void;
  circle(x: number, y: number, radius: number, style: ShapeStyle): void;
  /** A rectangle with round corners. */
  box(x: number, y: number, width: number, height: number, radius: number, style: ShapeStyle): void;
  image(source: HTMLCanvasElement, x: number, y: number, width: number, height: number, opacity: number): void;
  /** A line of text that begins at x, with its middle at y. */
  text(text: string, x: number, y: number, style: TextStyle): void;
}

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The typeface of titles; the style sheet has the same. */
export const TITLE_FONT =
  'Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Georgia, "DejaVu Serif", serif';

export const fontOf = (size: number, weight: number, title = false): string =>
  `${weight} ${size}px ${title ? TITLE_FONT : FONT}`;

export class CanvasSurface implements Surface {
  constructor(private readonly c: CanvasRenderingContext2D) {}

  path(draw: (pen: Pen) => void, style: ShapeStyle): void {
    this.c.beginPath();
    draw(this.c);
    if (style.closed) this.c.closePath();
    this.paint(style);
  }

  circle(x: number, y: number, radius: number, style: ShapeStyle): void {
    this.c.beginPath();
    this.c.arc(x, y, radius, 0, 2 * Math.PI);
    this.paint(style);
  }

  box(x: number, y: number, width: number, height: number, radius: number, style: ShapeStyle): void {
    this.c.beginPath();
    this.c.roundRect(x, y, width, height, radius);
    this.paint(style);
  }

  image(source: HTMLCanvasElement, x: number, y: number, width: number, height: number, opacity: number): void {
    this.c.globalAlpha = opacity;
    this.c.drawImage(source, x, y, width, height);
    this.c.globalAlpha = 1;
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const { c } = this;
    c.textBaseline = "middle";
    c.textAlign = "left";
    c.direction = "ltr";
    c.lineJoin = "round";
    c.font = fontOf(style.size, style.weight, style.title);
    c.letterSpacing = `${style.spacing ?? 0}px`;
    c.globalAlpha = style.opacity ?? 1;
    if (style.halo) {
      c.strokeStyle = style.halo;
      c.lineWidth = style.haloWidth ?? 3;
      c.strokeText(text, x, y);
    }
    c.fillStyle = style.color;
    c.fillText(text, x, y);
    c.globalAlpha = 1;
    c.letterSpacing = "0px";
  }

  private paint({ fill, stroke, width = 1, dash, opacity = 1 }: ShapeStyle): void {
    const { c } = this;
    c.globalAlpha = opacity;
    if (fill) {
      c.fillStyle = typeof fill === "string" ? fill : this.gradient(fill);
      c.fill();
    }
    if (stroke) {
      c.strokeStyle = stroke;
      c.lineWidth = width;
      if (dash) c.setLineDash([...dash]);
      c.stroke();
      if (dash) c.setLineDash([]);
    }
    c.globalAlpha = 1;
  }

  private gradient(g: Gradient): CanvasGradient {
    const gradient = this.c.createRadialGradient(g.focusX, g.focusY, 0, g.x, g.y, g.radius);
    for (const [place, color] of g.stops) gradient.addColorStop(place, color);
    return gradient;
  }
}
