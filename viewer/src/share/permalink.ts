/** Stores the view in the address of the page, so that it can be shared. */
import type { Camera } from "../geometry/frame.ts";
import { type ProjectionId, projections } from "../geometry/projection.ts";
import { normalize } from "../geometry/vector.ts";
import type { LabelMode, State } from "../state.ts";

/** Selections with more items would make addresses so long that mail programs cut them. */
export const MOST_SELECTED = 2000;

const short = (x: number) => String(Number(x.toFixed(5)));

export function encode(state: Readonly<State>, cameras: readonly Camera[]): string {
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
  if (!state.linked) p.set("u", "1");
  if (state.focus >= 0) p.set("f", String(state.focus));
  if (state.isolated.size) p.set("i", [...state.isolated].join("_"));
  for (const [name, [low, high]] of state.ranges) p.append("n", `${low}_${high}_${name}`);
  if (state.selection) {
    const items = indices(state.selection);
    if (items.length <= MOST_SELECTED) p.set("s", packed(items));
  }
  return p.toString();
}

/** Reads the fragment of an address; invalid parts are ignored. `count` is the number of items. */
export function decode(fragment: string, count: number): { state: Partial<State>; cameras: Camera[] } {
  const p = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: Partial<State> = {};
  const projection = p.get("p");
  if (projection && Object.hasOwn(projections, projection)) state.projection = projection as ProjectionId;
  const text = (key: string) => (p.has(key) ? p.get(key) || null : undefined);
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
  if (p.get("u") === "1") state.linked = false;
  const focus = Number(p.get("f") ?? -1);
  if (Number.isInteger(focus) && focus >= 0 && focus < count) state.focus = focus;
  const isolated = (p.get("i") ?? "").split("_").filter(Boolean).map(Number).filter(Number.isInteger);
  if (isolated.length) state.isolated = new Set(isolated);
  const ranges = new Map<string, readonly [number, number]>();
  for (const entry of p.getAll("n")) {
    const [, low, high, name] = /^([^_]*)_([^_]*)_(.*)$/s.exec(entry) ?? [];
    if (name && Number.isFinite(Number(low)) && Number.isFinite(Number(high)))
      ranges.set(name, [Number(low), Number(high)]);
  }
  if (ranges.size) state.ranges = ranges;
  const selected = unpacked(p.get("s") ?? "").filter((i) => i < count);
  if (selected.length) {
    state.selection = new Uint8Array(count);
    for (const item of selected) state.selection[item] = 1;
  }
  return { state, cameras: cameras(p.get("v") ?? "") };
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
