/**
 * Stores the view in the address of the page, so that it can be shared. Items and classes are stored by their names, so that a
 * link means the same on a page that was made again from other rows.
 */
import { coloringOf, columnNamed } from "../color/coloring.ts";
import type { Model } from "../data/model.ts";
import type { Camera } from "../geometry/frame.ts";
import { type ProjectionId, projections } from "../geometry/projection.ts";
import { normalize } from "../geometry/vector.ts";
import type { LabelMode, State } from "../state.ts";
import { decodeStop, encodeStop, MOST_STOPS } from "./story.ts";

/** Selections with more items would make addresses so long that mail programs cut them. */
export const MOST_SELECTED = 2000;
/** Up to this number, selected items are stored by name; above, by row together with a number that the names give. */
const MOST_NAMED = 100;

const short = (x: number) => String(Number(x.toFixed(5)));

/** The names of the classes of a coloured column, by code. */
function classNames(model: Model, color: string | null): ((code: number) => string) | null {
  const coloring = coloringOf(model, null, color);
  return coloring.kind === "classes" ? (code) => coloring.column.texts.at(code) : null;
}

const lastTime = (model: Model) => Math.max(...model.views.map((view) => view.snapshots.length));

export function encode(state: Readonly<State>, cameras: readonly Camera[], model: Model): string {
  const p = new URLSearchParams();
  p.set("v", cameras.map((c) => [...c.orientation, c.zoom, c.panX, c.panY].map(short).join("_")).join("~"));
  p.set("p", state.projection);
  p.set("c", state.color ?? "");
  p.set("t", state.theme);
  if (state.ramp !== "viridis") p.set("r", state.ramp);
  if (state.labels !== "auto") p.set("m", state.labels);
  if (state.label !== null) p.set("l", state.label);
  if (state.size !== null) p.set("z", state.size);
  if (state.ghost) p.set("g", "1");
  if (state.arcs) p.set("e", "1");
  if (!state.land) p.set("d", "0");
  if (!state.linked) p.set("u", "1");
  if (!state.sprites) p.set("y", "0");
  if (state.time < lastTime(model)) p.set("a", short(state.time));
  if (state.focus >= 0) p.set("f", model.ids.at(state.focus));
  const className = classNames(model, state.color);
  for (const code of state.isolated) {
    if (code < 0) p.set("o", "1");
    else if (className) p.append("i", className(code));
  }
  for (const [column, codes] of state.chosen) {
    const nameOf = classNames(model, column);
    for (const code of codes) if (nameOf) p.append("b", JSON.stringify([column, nameOf(code)]));
  }
  for (const [name, [low, high]] of state.ranges) p.append("n", `${low}_${high}_${name}`);
  if (state.selection) {
    const items = indices(state.selection);
    if (items.length <= MOST_NAMED) for (const item of items) p.append("s", model.ids.at(item));
    else if (items.length <= MOST_SELECTED) p.set("k", `${fingerprint(model)}.${packed(items)}`);
  }
  for (const stop of state.story) p.append("w", encodeStop(stop));
  return p.toString();
}

/** Reads the fragment of an address; parts that are invalid or that this page does not have are ignored. */
export function decode(fragment: string, model: Model): { state: Partial<State>; cameras: Camera[] } {
  const { count } = model;
  const p = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: Partial<State> = {};
  const projection = p.get("p");
  if (projection && Object.hasOwn(projections, projection)) state.projection = projection as ProjectionId;
  const text = (key: string) => {
    const name = p.get(key);
    if (name === null || (name !== "" && !columnNamed(model, null, name))) return undefined;
    return name || null;
  };
  const [color, label, size] = [text("c"), text("l"), text("z")];
  if (color !== undefined) state.color = color;
  if (label !== undefined) state.label = label;
  if (size !== undefined) state.size = size;
  const theme = p.get("t");
  if (theme === "light" || theme === "dark") state.theme = theme;
  const ramp = p.get("r");
  if (ramp === "cividis" || ramp === "viridis") state.ramp = ramp;
  const mode = p.get("m");
  if (mode && ["auto", "items", "classes", "none"].includes(mode)) state.labels = mode as LabelMode;
  if (p.get("g") === "1") state.ghost = true;
  if (p.get("e") === "1") state.arcs = true;
  if (p.get("d") === "0") state.land = false;
  if (p.get("u") === "1") state.linked = false;
  if (p.get("y") === "0") state.sprites = false;
  const time = Number(p.get("a") ?? NaN);
  if (time >= 0 && time < lastTime(model)) state.time = time;
  const rows = rowsOf(model, [...p.getAll("f").slice(0, 1), ...p.getAll("s")]);
  const focus = rows.get(p.get("f") ?? "");
  if (focus !== undefined) state.focus = focus;
  const isolated = isolatedCodes(model, state.color ?? null, p.getAll("i"));
  if (p.get("o") === "1") isolated.add(-1);
  if (isolated.size) state.isolated = isolated;
  const chosen = chosenClasses(model, p.getAll("b"));
  if (chosen.size) state.chosen = chosen;
  const ranges = new Map<string, readonly [number, number]>();
  for (const entry of p.getAll("n")) {
    const [, low, high, name] = /^([^_]*)_([^_]*)_(.*)$/s.exec(entry) ?? [];
    if (name && columnNamed(model, null, name) && Number.isFinite(Number(low)) && Number.isFinite(Number(high)))
      ranges.set(name, [Number(low), Number(high)]);
  }
  if (ranges.size) state.ranges = ranges;
  const [mark, packedRows] = (p.get("k") ?? "").split(/\.(.*)/s);
  const known = mark === fingerprint(model) ? unpacked(packedRows ?? "") : [];
  const named = p.getAll("s").flatMap((id) => rows.get(id) ?? []);
  const selected = [...known, ...named].filter((i) => i < count);
  if (selected.length) {
    state.selection = new Uint8Array(count);
    for (const item of selected) state.selection[item] = 1;
  }
  const story = p
    .getAll("w")
    .slice(0, MOST_STOPS)
    .flatMap((text) => decodeStop(text) ?? []);
  if (story.length) state.story = story;
  return { state, cameras: cameras(p.get("v") ?? "") };
}

/** The rows of these ids. */
function rowsOf(model: Model, ids: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>();
  const wanted = new Set(ids);
  if (wanted.size) {
    for (let i = model.count - 1; i >= 0; i--) {
      const id = model.ids.at(i);
      if (wanted.has(id)) rows.set(id, i);
    }
  }
  return rows;
}

function isolatedCodes(model: Model, color: string | null, names: readonly string[]): Set<number> {
  const coloring = names.length ? coloringOf(model, null, color) : null;
  const found = new Set<number>();
  if (coloring?.kind !== "classes") return found;
  const wanted = new Set(names);
  const { texts } = coloring.column;
  for (let code = 0; code < texts.length; code++) if (wanted.has(texts.at(code))) found.add(code);
  return found;
}

/** The classes of columns, given as pairs of names. */
function chosenClasses(model: Model, pairs: readonly string[]): Map<string, Set<number>> {
  const names = new Map<string, string[]>();
  for (const [column, name] of pairs.flatMap(parsed)) names.set(column, [...(names.get(column) ?? []), name]);
  const found = new Map<string, Set<number>>();
  for (const [column, wanted] of names) {
    const codes = columnNamed(model, null, column) ? isolatedCodes(model, column, wanted) : new Set<number>();
    if (codes.size) found.set(column, codes);
  }
  return found;
}

/** Two texts in JSON; nothing if it is anything else. */
function parsed(text: string): [string, string][] {
  try {
    const [a, b]: unknown[] = JSON.parse(text);
    return typeof a === "string" && typeof b === "string" ? [[a, b]] : [];
  } catch {
    return [];
  }
}

/** A number that changes if ids are added, removed or ordered differently (FNV-1a, 32 bits). */
function fingerprint(model: Model): string {
  let hash = 0x811c9dc5;
  const mix = (text: string) => {
    for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  };
  mix(String(model.count));
  if (!model.numbered) {
    mix(model.ids.all);
    for (const end of model.ids.ends) hash = Math.imul(hash ^ end, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

function cameras(text: string): Camera[] {
  return text.split("~").flatMap((entry) => {
    const numbers = entry.split("_").map(Number);
    if (numbers.length !== 7 || !numbers.every(Number.isFinite)) return [];
    const [x, y, z, w, zoom, panX, panY] = numbers as [number, number, number, number, number, number, number];
    if (zoom <= 0 || Math.hypot(x, y, z, w) < 0.5) return [];
    return [{ orientation: normalize([x, y, z, w]), zoom, panX, panY }];
  });
}

function indices(mask: Uint8Array): number[] {
  const found: number[] = [];
  for (let i = 0; i < mask.length; i++) if (mask[i]) found.push(i);
  return found;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.";

/** Ascending numbers as differences, with five bits per digit; the sixth bit says that more digits follow. */
function packed(items: readonly number[]): string {
  let out = "";
  let last = -1;
  for (const item of items) {
    let step = item - last - 1;
    last = item;
    while (step >= 32) {
      out += DIGITS[32 + (step & 31)];
      step >>>= 5;
    }
    out += DIGITS[step];
  }
  return out;
}

function unpacked(text: string): number[] {
  const items: number[] = [];
  let last = -1;
  let step = 0;
  let shift = 0;
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    if (digit < 0 || shift > 25) return items;
    step += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit >= 32) continue;
    last += step + 1;
    items.push(last);
    step = shift = 0;
  }
  return items;
}
