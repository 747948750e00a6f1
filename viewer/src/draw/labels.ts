/**
 * Labels that never overlap.
 *
 * Each frame places them greedily. During a movement, labels that are already shown come first, so that they do not
 * flicker. At rest, the largest weights come first, with a bonus for labels that are already shown. A label stays on the
 * same side of its point as long as there is room.
 */
import type { Frame } from "../geometry/frame.ts";
import {
  along,
  type Box,
  boxAt,
  type Cover,
  emptiest,
  FIRST_LED,
  hasLeft,
  inward,
  type LabelKind,
  type Lead,
  leadTo,
  notAcross,
  type Room,
  sides,
} from "./rooms.ts";
import { fontOf, type Surface } from "./surface.ts";

interface LabelStyle {
  weight: number;
  /** Distance between letters, relative to their size. */
  spacing: number;
  /** Width of the halo. */
  halo: number;
  opacity: number;
  /** Added to the weight of a candidate: names of classes come first. */
  rank: number;
}

export interface Candidate {
  /** The index of an item, or −1 − (the index of a class). */
  key: number;
  text: string;
  position: readonly [number, number, number];
  /** The weight, 0 to 1: sets priority and size. */
  weight: number;
  /** Distance of the text from the point, in pixels: the radius of the point. */
  clear: number;
  /** Has priority over all others: the item under the cursor. */
  first?: boolean;
  /** Whether a ring marks the point, which would not be found among very many others. */
  marked?: boolean;
  kind: LabelKind;
  color?: string;
  /** The class whose name this is: it has a further name only far from the first. */
  group?: number;
  /** Whether the name stands here only if the class has no other name in sight. */
  spare?: boolean;
  /** Whether the name may stand apart from its place, with a line. */
  led?: boolean;
}

export interface Label {
  key: number;
  text: string;
  /** The text in one line or two. */
  lines: readonly string[];
  widths: readonly number[];
  /** The point, if a ring marks it. */
  mark: readonly [x: number, y: number] | null;
  /** The line from the place to its name, if the name stands apart from it. */
  lead: Lead | null;
  /** The box around the text, in CSS pixels. */
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  opacity: number;
  kind: LabelKind;
  color?: string;
}

export type Measure = (text: string, size: number, kind: LabelKind) => number;

/** So many of the most important names may cover points of others. */
const COVERING = 30;
/** How far from the limb names of a kind stay: long ones would leave the globe. */
const LIMB: Readonly<Record<LabelKind, number>> = { item: 0.35, class: 0.25, region: 0.4, place: 0.3 };
const FADE = 150;
const PAD = 3;
/** Space that a name needs around it to be read at ease, in pixels. */
const EASE = 8;
/** Names and the space around them take at most this share of the map: many short ones, or few long ones. */
const NAMED_SHARE = 0.19;
/** On the small map of a phone, names may take at least this area, in square pixels. */
const LEAST_AREA = 16_000;
/** Names of clusters that are longer than this, in letters, have two lines. */
const ONE_LINE = 15;
/** Height of a line, relative to its letters. */
const LINE = 1.15;
/** Names of the same class are so far apart, as a chord. */
const AGAIN = 1.2;
/** The ring that marks a point. */
const MARK = 2.6;
/**
 * How names look: of items, of classes among very many points, of classes behind the names of items, as in an atlas, and of
 * clusters.
 */
const STYLES: Readonly<Record<LabelKind, LabelStyle>> = {
  item: { weight: 500, spacing: 0, halo: 3, opacity: 1, rank: 0 },
  class: { weight: 680, spacing: 0.025, halo: 4, opacity: 1, rank: 4 },
  region: { weight: 650, spacing: 0.2, halo: 2.5, opacity: 0.8, rank: 4 },
  place: { weight: 600, spacing: 0.01, halo: 3.5, opacity: 1, rank: 2.5 },
};

/** The width of a text, by a canvas. */
export function measureBy(context: CanvasRenderingContext2D): Measure {
  return (text, size, kind) => {
    const { weight, spacing } = STYLES[kind];
    context.font = fontOf(size, weight);
    return context.measureText(text).width + spacing * size * text.length;
  };
}

/** A name as a reader would write it: an underscore between letters is a space, at which no line ends. */
export const spaced = (text: string): string => text.replace(/(?<=[\p{L}\p{N}])_(?=\p{L})/gu, "\u00a0");

/** A text for one line: without control characters, and shortened. */
export function oneLine(text: string, most = 32): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "\ufffd");
  const letters = clean.length > most * 2 ? Array.from(clean.slice(0, most * 4)) : Array.from(clean);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : clean;
}

/** The area that names may take: a share of what can be seen of the map in so much room. */
export function areaOfNames(frame: Frame, room: { width: number; height: number }): number {
  const { scale, to } = frame;
  const seen = Math.min(room.width, 2 * scale * to.halfWidth) * Math.min(room.height, 2 * scale * to.halfHeight);
  return Math.max(LEAST_AREA, NAMED_SHARE * seen);
}

/** A long name of a cluster in two lines: what it is and what is typical of it, or one half of the terms below the other. */
export function linesOf(text: string, kind: LabelKind): string[] {
  if (kind === "item" || kind === "region" || text.length <= ONE_LINE) return [text];
  const colon = text.indexOf(": ");
  if (colon > 0) return [text.slice(0, colon), text.slice(colon + 2)];
  const terms = text.split(" · ");
  if (terms.length < 2) return [text];
  const half = Math.ceil(terms.length / 2);
  return [terms.slice(0, half).join(" · "), terms.slice(half).join(" · ")];
}

/** Occupied boxes, in a coarse grid. */
class Taken {
  private readonly cells = new Map<number, Box[]>();

  private *keys(b: Box): Generator<number> {
    for (let j = Math.floor(b.y / 64); j <= Math.floor((b.y + b.height) / 64); j++)
      for (let i = Math.floor(b.x / 64); i <= Math.floor((b.x + b.width) / 64); i++) yield j * 4096 + i;
  }

  free(b: Box): boolean {
    for (const key of this.keys(b))
      for (const o of this.cells.get(key) ?? [])
        if (b.x < o.x + o.width && o.x < b.x + b.width && b.y < o.y + o.height && o.y < b.y + b.height) return false;
    return true;
  }

  take(b: Box): void {
    for (const key of this.keys(b)) {
      const list = this.cells.get(key);
      if (list) list.push(b);
      else this.cells.set(key, [b]);
    }
  }
}

interface Shown {
  side: number;
  since: number;
}

export class Placer {
  private shown = new Map<number, Shown>();
  /** Whether some label of the last placement is not fully visible yet: then another frame must follow, however late. */
  fading = false;

  constructor(private readonly measure: Measure) {}

  /** Places the most important labels, until they take this area. `blocked` are areas without labels. */
  place(
    frame: Frame,
    candidates: readonly Candidate[],
    blocked: readonly Box[],
    area: number,
    now: number,
    moving: boolean,
    still = false,
    crowd: Cover | null = null,
  ): Label[] {
    const rank = (c: Candidate) =>
      c.weight + (c.first ? 10 : 0) + STYLES[c.kind].rank + (this.shown.has(c.key) ? (moving ? 2 : 0.08) : 0);
    const ordered = candidates.map((c) => ({ c, rank: rank(c) })).sort((a, b) => b.rank - a.rank || a.c.key - b.c.key);
    /** The place of an item among the items, whatever else has names. */
    let items = 0;
    const places = ordered.map(({ c }) => (c.kind === "item" ? items++ : 0));
    const out = new Float64Array(3);
    const shrink = shrinkAt(frame);
    const taken = new Taken();
    for (const box of blocked) taken.take(box);
    // Only the most important names may cover points of others, and names of regions none of the most important ones.
    const [minor, major] = [new Taken(), new Taken()];
    for (const [k, { c }] of ordered.entries()) {
      if (c.kind !== "item") continue;
      const place = places[k]!;
      frame.project(c.position[0], c.position[1], c.position[2], out);
      // An important point may be covered nowhere, not even near the limb.
      if (out[2]! > (place < COVERING ? 0 : LIMB.item))
        (place < COVERING ? major : minor).take({
          x: out[0]! - c.clear,
          y: out[1]! - c.clear,
          width: 2 * c.clear,
          height: 2 * c.clear,
        });
    }
    const next = new Map<number, Shown>();
    const labels: Label[] = [];
    let left = area;
    const named = new Map<number, (readonly number[])[]>();
    for (const [k, { c }] of ordered.entries()) {
      if (left <= 0) break;
      const place = places[k]!;
      frame.project(c.position[0], c.position[1], c.position[2], out);
      // Not on the far side, and not near the limb, where points are too close together and long names leave the globe.
      if (out[2]! <= LIMB[c.kind]) continue;
      const [px, py] = [out[0]!, out[1]!];
      if (px < 0 || py < 0 || px > frame.width || py > frame.height) continue;
      const { kind, group, led = true } = c;
      const same = group === undefined ? undefined : named.get(group);
      if (same?.some((other) => c.spare || chord(other, c.position) < AGAIN)) continue;
      const item = kind === "item";
      const size = item ? sizeOf(c) : Math.max(LEAST_SIZE, Math.round(shrink * sizeOf(c)));
      const lines = linesOf(c.text, kind);
      const widths = lines.map((line) => this.measure(line, size, kind));
      const width = Math.max(...widths);
      const height = size * LINE * lines.length;
      const before = this.shown.get(c.key);
      const fits = (side: number): Room | null => {
        const at = boxAt(side, px, py, width, height, c.clear);
        // Names of items may leave the map; those of its parts stay on it, or stand apart from it.
        const box = item ? at : side >= FIRST_LED ? notAcross(frame, at) : inward(frame, at);
        if (!box) return null;
        if (box.x < 2 || box.y < 2 || box.x + width > frame.width - 2 || box.y + height > frame.height - 2) return null;
        if (!taken.free(padded(box))) return null;
        if (place >= COVERING && !c.first && item && !minor.free(box)) return null;
        if (kind === "region" && !major.free(box)) return null;
        // A name that had to leave its place is tied to it, or it would seem to be that of its new ground.
        const apart = side >= FIRST_LED || (kind !== "item" && kind !== "region" && hasLeft(at, box, px, py));
        if (apart && !led) return null;
        const lead = apart ? leadTo(box, px, py) : null;
        return lead && !along(lead).every((step) => taken.free(step)) ? null : { side, box, lead };
      };
      const free = sides(before?.side, kind).map(fits);
      const found = crowd ? emptiest(free, before?.side, crowd, kind) : free.find((room) => room !== null);
      if (found) {
        const { side, box, lead } = found;
        taken.take(padded(box));
        if (lead) for (const step of along(lead)) taken.take(step);
        left -= (width + 2 * EASE) * (height + EASE);
        if (item) taken.take({ x: px - c.clear, y: py - c.clear, width: 2 * c.clear, height: 2 * c.clear });
        const since = before?.since ?? (still ? -Infinity : now);
        next.set(c.key, { side, since });
        if (group !== undefined) named.set(group, [...(same ?? []), c.position]);
        labels.push({
          ...box,
          key: c.key,
          text: c.text,
          lines,
          widths,
          mark: c.marked ? [px, py] : null,
          lead,
          size,
          opacity: Math.min(1, (now - since) / FADE),
          kind,
          color: c.color,
        });
      }
    }
    this.shown = next;
    this.fading = labels.some((label) => label.opacity < 1);
    return labels;
  }
}

const chord = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

/** A map of this size, in pixels, has names of classes and clusters at full size; on smaller ones they would hide it. */
const FULL_SIZE = 520;
/** They do not become smaller than this: as a share, and in pixels. */
const LEAST_SHRINK = 0.7;
const LEAST_SIZE = 11;

const shrinkAt = ({ scale, to }: Frame): number =>
  Math.max(LEAST_SHRINK, Math.min(1, Math.sqrt((2 * scale * Math.sqrt(to.halfWidth * to.halfHeight)) / FULL_SIZE)));

const sizeOf = (c: Candidate): number => {
  if (c.kind === "item") return Math.round(11 + 5 * Math.sqrt(c.weight));
  if (c.kind === "place") return Math.round(11 + 2 * c.weight);
  return Math.round(14 + (c.kind === "class" ? 7 : 5) * c.weight);
};

const padded = (box: Box): Box => ({
  x: box.x - PAD,
  y: box.y - 1,
  width: box.width + 2 * PAD,
  height: box.height + 2,
});

function drawLead(surface: Surface, [x, y, toX, toY]: Lead, ink: string, halo: string, opacity: number): void {
  const line = (stroke: string, width: number) =>
    surface.path(
      (pen) => {
        pen.moveTo(x, y);
        pen.lineTo(toX, toY);
      },
      { stroke, width, opacity },
    );
  line(halo, 3);
  line(ink, 1);
  surface.circle(x, y, 1.8, { fill: ink, opacity });
}

export function drawLabels(surface: Surface, labels: readonly Label[], ink: string, halo: string): void {
  // Names of regions are behind the others.
  const ordered = [...labels].sort((a, b) => Number(b.kind === "region") - Number(a.kind === "region"));
  for (const label of ordered) {
    const style = STYLES[label.kind];
    const opacity = label.opacity * style.opacity;
    if (label.lead) drawLead(surface, label.lead, label.color ?? ink, halo, opacity);
    if (label.mark) {
      surface.circle(...label.mark, MARK, { fill: halo, stroke: label.color ?? ink, width: 1.4, opacity });
    }
    const step = label.height / label.lines.length;
    for (const [i, line] of label.lines.entries()) {
      const text = {
        size: label.size,
        weight: style.weight,
        color: label.color ?? ink,
        halo,
        haloWidth: style.halo,
        opacity,
        spacing: style.spacing * label.size,
      };
      // Shorter lines are centred.
      const inset = (label.width - label.widths[i]!) / 2;
      surface.text(line, label.x + inset, label.y + (i + 0.5) * step + 0.5, text);
    }
  }
}
