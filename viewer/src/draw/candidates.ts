/** Candidates for labels: the items with the largest weights, visible items after zooming in, and the names of classes. */
import { type Coloring, entryColor, entryOfItem } from "../color/coloring.ts";
import { css, type Rgb } from "../color/palette.ts";
import type { Cells } from "../geometry/cells.ts";
import { densest } from "../geometry/densest.ts";
import type { Frame } from "../geometry/frame.ts";
import { type Candidate, oneLine, spaced } from "./labels.ts";

const MOST = 1500;
/** Classes with less than this share of the items name no region. */
const LEAST_REGION = 0.04;

/** The items with the largest weights, largest first: exact for few items, by a threshold from a sample for many. */
export function weightiest(weights: Float32Array, order: Uint32Array): Uint32Array {
  const sample = Array.from({ length: Math.min(order.length, 20000) }, (_, k) => weights[order[k]!]!).sort(
    (a, b) => b - a,
  );
  const place = Math.floor((MOST / order.length) * sample.length);
  const threshold = sample.length > place ? sample[place]! : -Infinity;
  const found: number[] = [];
  for (const item of order) if (weights[item]! >= threshold && found.length < 20 * MOST) found.push(item);
  found.sort((a, b) => weights[b]! - weights[a]! || a - b);
  return Uint32Array.from(found.slice(0, MOST));
}

/** The visible items, largest weight first, or null if there are too many. */
export function inSight(frame: Frame, cells: Cells, weights: Float32Array): Uint32Array | null {
  const middle = frame.unproject(frame.width / 2, frame.height / 2);
  if (!middle) return null;
  const reach = Math.hypot(frame.width, frame.height) / 2 / frame.scale;
  if (reach > 0.5) return null;
  const found: number[] = [];
  cells.near(middle[0], middle[1], middle[2], reach * 1.1, (item) => {
    if (found.length <= 20000) found.push(item);
  });
  if (found.length > 20000) return null;
  found.sort((a, b) => weights[b]! - weights[a]! || a - b);
  return Uint32Array.from(found.slice(0, MOST));
}

/** A class spans the map if it is dense in places so far apart, as a chord; each of at most so many then has its name. */
const APART = 1.2;
const MOST_PLACES = 3;
/** How dense further places are, relative to the densest. */
const NEARLY_AS_DENSE = 0.5;
/** Where its name can stand while these places are out of sight: the same for more places that are nearer to each other. */
const SPARE_APART = 0.6;
const MOST_SPARE = 6;
const SPARE_DENSE = 0.35;
/** What counts as nearby: 20 degrees, as a chord. */
const NEARBY = 0.35;
const SAMPLE = 240;

/** Where colours do not show the classes, a name stands only where its class is so many times as frequent as elsewhere. */
const TELLING = 2;
/** Where they do, it stands only where at least this share of the items within ten degrees, as a chord, is of its class. */
const LEADING = 0.25;
const VERY_NEAR = 0.175;
/** So many items tell how frequent a class is. */
const AROUND = 4000;

/** The items at which a class has its name, and those at which it has it if none of the others is in sight. */
export interface Anchors {
  readonly main: readonly number[];
  readonly spare: readonly number[];
}

/**
 * For each class, the items where the class is densest, of a sample, if it has a say there; with `telling`, only where its name
 * says something.
 */
export function classAnchors(
  coloring: Coloring,
  positions: Float32Array,
  order: Uint32Array,
  telling = false,
): Map<number, Anchors> {
  const anchors = new Map<number, Anchors>();
  if (coloring.kind !== "classes") return anchors;
  const samples = coloring.entries.map((): number[] => []);
  let open = samples.length;
  for (const item of order) {
    const sample = samples[entryOfItem(coloring, item)]!;
    if (sample.length < SAMPLE && sample.push(item) === SAMPLE) open--;
    if (open === 0) break;
  }
  samples.forEach((sample, place) => {
    if (coloring.entries[place]!.code < 0 || !sample.length) return;
    const isOwn = (item: number) => entryOfItem(coloring, item) === place;
    const says = (item: number): boolean => {
      const { near, own, all } = around(item, isOwn, positions, order, telling ? NEARBY : VERY_NEAR);
      return telling ? own * Math.min(AROUND, order.length) >= TELLING * all * near : own >= LEADING * near;
    };
    const main = densest(sample, positions, NEARBY, MOST_PLACES, APART, NEARLY_AS_DENSE).filter(says);
    const spare = densest(sample, positions, NEARBY, MOST_SPARE, SPARE_APART, SPARE_DENSE).filter(says);
    anchors.set(place, { main, spare: spare.filter((item) => !main.includes(item)) });
  });
  return anchors;
}

/** How many items are within a chord of this length around one, how many of them are of its kind, and how many are of it in all. */
function around(
  middle: number,
  isOwn: (item: number) => boolean,
  positions: Float32Array,
  order: Uint32Array,
  reach: number,
): { near: number; own: number; all: number } {
  let [near, own, all] = [0, 0, 0];
  for (const item of order.subarray(0, AROUND)) {
    let distance2 = 0;
    for (let k = 0; k < 3; k++) distance2 += (positions[3 * item + k]! - positions[3 * middle + k]!) ** 2;
    const within = distance2 < reach * reach;
    near += Number(within);
    own += Number(within && isOwn(item));
    all += Number(isOwn(item));
  }
  return { near, own, all };
}

export function classCandidates(
  coloring: Coloring,
  anchors: ReadonlyMap<number, Anchors>,
  positions: Float32Array,
  dark: boolean,
  standing: Uint8Array | null,
  colored: boolean,
  kind: "class" | "region",
): Candidate[] {
  if (coloring.kind !== "classes") return [];
  const largest = coloring.entries[0]?.count ?? 1;
  const name = (place: number) => oneLine(spaced(coloring.entries[place]!.name), 28);
  const total = coloring.entries.reduce((sum, entry) => sum + entry.count, 0);
  return Array.from(anchors, ([place, { main, spare }]) =>
    [...main, ...spare].map((item, again) => ({ place, item, again, isSpare: again >= main.length })),
  )
    .flat()
    .filter(({ item }) => !standing || standing[item] === 1)
    .filter(({ place }) => kind === "class" || coloring.entries[place]!.count > LEAST_REGION * total)
    .map(({ place, item, again, isSpare }) => ({
      key: -1 - place - again * coloring.entries.length,
      text: kind === "class" ? name(place) : name(place).toUpperCase(),
      position: [positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!],
      // Spare places come after the others of the class, even if a name stands there already.
      weight: Math.sqrt(coloring.entries[place]!.count / largest) - (isSpare ? 0.1 : 0),
      clear: 0,
      kind,
      group: place,
      spare: isSpare,
      color: colored ? css(readable(entryColor(coloring, place, dark), dark)) : undefined,
    }));
}

/** The colour of a class, mixed with the text colour for readability. */
function readable(c: Rgb, dark: boolean): Rgb {
  const ink = dark ? 255 : 0;
  const share = dark ? 0.4 : 0.35;
  return [c[0] + (ink - c[0]) * share, c[1] + (ink - c[1]) * share, c[2] + (ink - c[2]) * share];
}
