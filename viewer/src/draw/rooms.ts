/** Where a name can stand: beside its place, or apart from it with a line, and on which side it hides the fewest points. */
import type { Frame } from "../geometry/frame.ts";

/** What a name is of. */
export type LabelKind = "item" | "class" | "region" | "place";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** From the place to the edge of the box of its name. */
export type Lead = readonly [x: number, y: number, toX: number, toY: number];

/** Says which share of a box has points below it. */
export interface Cover {
  cover(box: Box): number;
}

export interface Room {
  side: number;
  box: Box;
  lead: Lead | null;
}

/** A label moves to another side only if it covers so much less. */
const WORTH_MOVING = 0.15;
/** A name stands apart from its place, with a line to it, only if it covers so much less there, and for each pixel of the line. */
const WORTH_LEADING = 0.16;
const WORTH_A_PIXEL = 0.0016;

/** The names of classes leave their ground only if they have no room there: they may cover points of their own. */
const WORTH_LEAVING = 1.5;

/** The place that covers the fewest points. */
export function emptiest(
  rooms: readonly (Room | null)[],
  before: number | undefined,
  crowd: Cover,
  kind: LabelKind,
): Room | undefined {
  const leading = kind === "class" ? WORTH_LEAVING : WORTH_LEADING;
  let [best, least]: [Room | undefined, number] = [undefined, Infinity];
  for (const room of rooms) {
    if (!room) continue;
    const apart = room.lead ? leading + WORTH_A_PIXEL * lengthOf(room.lead) : 0;
    const cover = crowd.cover(room.box) + apart - (room.side === before ? WORTH_MOVING : 0);
    if (cover < least - 1e-9) [best, least] = [room, cover];
  }
  return best;
}

/** Where the box of a name begins that is further above or below, in heights of the name. */
const FURTHER = [-2.2, 1.2, -3.2, 2.2] as const;
/** From this side on, names stand apart, with a line: in so many directions, and so far from the place, in pixels. */
export const FIRST_LED = 5 + FURTHER.length;
const DIRECTIONS = 16;
const LED = [38, 62, 90, 122] as const;

const AROUND = Array.from({ length: DIRECTIONS * LED.length }, (_, k) => FIRST_LED + k);

const SIDES: Readonly<Record<LabelKind, readonly number[]>> = {
  item: [0, 1, 2, 3],
  class: [4, 2, 3, ...AROUND],
  region: [4, 2, 3, 5, 6, 7, 8],
  place: [4, 2, 3, ...AROUND],
};

/** 0 right, 1 left, 2 above, 3 below, 4 centred, then further above and below, then apart; the previous one comes first. */
export function sides(before: number | undefined, kind: LabelKind): readonly number[] {
  const all = SIDES[kind];
  return before === undefined ? all : [before, ...all.filter((s) => s !== before)];
}

export function boxAt(side: number, px: number, py: number, width: number, height: number, clear: number): Box {
  const gap = clear + 3;
  if (side === 0) return { x: px + gap, y: py - height / 2, width, height };
  if (side === 1) return { x: px - gap - width, y: py - height / 2, width, height };
  if (side === 2) return { x: px - width / 2, y: py - gap - height, width, height };
  if (side === 3) return { x: px - width / 2, y: py + gap, width, height };
  if (side >= FIRST_LED) {
    const angle = ((side - FIRST_LED) % DIRECTIONS) * ((2 * Math.PI) / DIRECTIONS);
    const far = LED[Math.floor((side - FIRST_LED) / DIRECTIONS)]!;
    const [x, y] = [px + far * Math.cos(angle), py + far * Math.sin(angle)];
    // The side of the box that faces the place is at the end of the line.
    return { x: x - (width * (1 - Math.cos(angle))) / 2, y: y - (height * (1 - Math.sin(angle))) / 2, width, height };
  }
  if (side > 4) return { x: px - width / 2, y: py + FURTHER[side - 5]! * height, width, height };
  return { x: px - width / 2, y: py - height / 2, width, height };
}

const corners = (b: Box): [number, number][] => [
  [b.x, b.y],
  [b.x + b.width, b.y],
  [b.x, b.y + b.height],
  [b.x + b.width, b.y + b.height],
];

const onMap = (frame: Frame, x: number, y: number): boolean => frame.morph < 1 || frame.unproject(x, y) !== null;

/** How far the name of a place at the edge of the map may move towards its centre: steps, and their length in pixels. */
const STEPS_INWARD = 10;
const STEP_INWARD = 7;

/** The box, or the nearest one towards the centre of the map that is wholly on it; null if that is too far away. */
export function inward(frame: Frame, box: Box): Box | null {
  const [x, y] = [frame.centerX - box.x - box.width / 2, frame.centerY - box.y - box.height / 2];
  const length = Math.hypot(x, y) || 1;
  for (let k = 0; k <= STEPS_INWARD; k++) {
    const step = (k * STEP_INWARD) / length;
    const moved = { ...box, x: box.x + x * step, y: box.y + y * step };
    if (corners(moved).every(([cx, cy]) => onMap(frame, cx, cy))) return moved;
  }
  return null;
}

/** The box, unless the edge of the map goes through it. */
export function notAcross(frame: Frame, box: Box): Box | null {
  const inside = corners(box).filter(([x, y]) => onMap(frame, x, y)).length;
  return inside === 0 || inside === 4 ? box : null;
}

/** How far from its place, in pixels, a name may be moved without a line to it. */
const BESIDE = 12;

/** Whether a name was moved so far from its place that a reader would take it for that of its new ground. */
export function hasLeft(at: Box, moved: Box, px: number, py: number): boolean {
  return (at.x !== moved.x || at.y !== moved.y) && lengthOf(leadTo(moved, px, py)) > BESIDE;
}

/** The line from a place to the nearest point of a box. */
export function leadTo(box: Box, px: number, py: number): Lead {
  const x = Math.max(box.x, Math.min(px, box.x + box.width));
  return [px, py, x, Math.max(box.y, Math.min(py, box.y + box.height))];
}

const lengthOf = ([x, y, toX, toY]: Lead): number => Math.hypot(toX - x, toY - y);

/** Small boxes along a line, short of its end. */
export function along(lead: Lead): Box[] {
  const [x, y, toX, toY] = lead;
  const steps = Math.floor(lengthOf(lead) / 7);
  return Array.from({ length: steps }, (_, k) => {
    const [cx, cy] = [x + ((toX - x) * k) / steps, y + ((toY - y) * k) / steps];
    return { x: cx - 2, y: cy - 2, width: 4, height: 4 };
  });
}
