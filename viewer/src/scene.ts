/** The data, the state, and the values derived from both. Knows nothing of the panes that show them. */
import { standing } from "./ask/standing.ts";
import { idsAreCodes, namingColumn } from "./choice.ts";
import {
  type Coloring,
  colorItems,
  coloringOf,
  columnNamed,
  entryOfItem,
  rampPlace,
  rampShade,
} from "./color/coloring.ts";
import { type Model, textOf, type View } from "./data/model.ts";
import { shuffled } from "./data/positions.ts";
import { weightiest } from "./draw/candidates.ts";
import { SpriteSheet } from "./draw/sprites.ts";
import type { Theme } from "./draw/theme.ts";
import { themes } from "./draw/theme.ts";
import { NO_CLASS } from "./geometry/borders.ts";
import { axisAngle, fromDegrees, identity, multiply, type Quaternion } from "./geometry/vector.ts";
import { FILTERS, type Store } from "./state.ts";

/** What has changed: colours and sizes, or which items are highlighted. */
export type Change = "style" | "layers";

export class Scene {
  /** A fixed shuffle of the items. */
  readonly order: Uint32Array;
  readonly sheet: SpriteSheet | null;
  /** The weight of each item, 0 to 1: sets the priority of its label. */
  weights!: Float32Array;
  /** The items with the largest weights, largest first. */
  top!: Uint32Array;
  /** 1 if an item is highlighted; null if all are. */
  mask: Uint8Array | null = null;
  /** Size of each item × 64. */
  private sizes!: Uint8Array;
  private readonly colorings = new Map<View, Coloring>();
  private readonly plain = new Map<View, { key: string; colors: Uint8Array }>();
  private readonly quiet: MediaQueryList;
  private readonly listeners: ((what: Change) => void)[] = [];
  /** The classes that name the parts of the map while the colours show a number. */
  private readonly namingName: string | null;
  /** Whether the ids mean something to a reader. */
  readonly idsAreNames: boolean;

  constructor(
    readonly model: Model,
    readonly store: Store,
    readonly announce: (text: string) => void,
  ) {
    this.order = shuffled(model.count);
    this.sheet = model.sprites && new SpriteSheet(model.sprites);
    this.quiet = matchMedia("(prefers-reduced-motion: reduce)");
    this.namingName = namingColumn(model);
    this.idsAreNames = !idsAreCodes(model);
    this.weigh();
    this.filter();
    store.on(["size"], () => {
      this.weigh();
      this.restyle();
    });
    store.on(["color"], () => {
      this.colorings.clear();
      this.filter();
      this.restyle();
    });
    store.on(FILTERS, () => {
      this.filter();
      const coloring = this.coloring(this.model.views[0]!);
      // Isolated classes without a colour of their own get one.
      if (coloring.kind === "classes" && coloring.rest.length) this.restyle();
      this.changed("layers");
    });
    store.on(["theme", "ramp"], () => this.restyle());
  }

  get theme(): Theme {
    return themes[this.store.state.theme];
  }

  get reducedMotion(): boolean {
    return this.quiet.matches;
  }

  coloring(view: View): Coloring {
    let known = this.colorings.get(view);
    if (!known) {
      known = coloringOf(this.model, view, this.store.state.color);
      this.colorings.set(view, known);
    }
    return known;
  }

  /** The classes whose names stand on the map: those of the colours, or the best ones if the colours show a number. */
  naming(view: View): Coloring {
    const own = this.coloring(view);
    if (own.kind === "classes" || !this.namingName) return own;
    this.namingClasses ??= coloringOf(this.model, view, this.namingName);
    return this.namingClasses;
  }

  private namingClasses: Coloring | null = null;

  /** The name of an item on the map. */
  name(item: number): string {
    const { label } = this.store.state;
    const column = label === null ? null : columnNamed(this.model, null, label);
    return (column && textOf(column, item)) || this.model.ids.at(item);
  }

  /** The relative diameter of a point. */
  sizeOf(item: number): number {
    return this.sizes[item]! / 64;
  }

  private weigh(): void {
    const { model, store } = this;
    const { count } = model;
    this.weights = new Float32Array(count);
    this.sizes = new Uint8Array(count).fill(64);
    const column = store.state.size === null ? null : columnNamed(model, null, store.state.size);
    if (column?.type === "number" && column.high > Math.min(0, column.low)) {
      const low = Math.min(0, column.low);
      for (let i = 0; i < count; i++) {
        const w = (column.values[i]! - low) / (column.high - low) || 0;
        this.weights[i] = w;
        this.sizes[i] = Math.round(64 * (0.6 + 1.5 * Math.sqrt(w)));
      }
    } else {
      // Nothing says which are more important: the shuffle does, so that labels spread evenly.
      for (let k = 0; k < count; k++) this.weights[this.order[k]!] = 0.1 * (1 - k / count);
    }
    this.top = weightiest(this.weights, this.order);
  }

  /**
   * The orientation, with north up, of the side with the most to see; used for the first view: its weight, times the root of
   * the number of colours there, by their entropy, so that a side with many classes, or with the whole range of a number, is
   * better than one with a single large class. What is grey says little.
   */
  bestSide(view: View): Quaternion {
    const sample = Array.from(new Set([...this.top.slice(0, 400), ...this.order.slice(0, 1600)]));
    const coloring = this.coloring(view);
    const classOf = sample.map((item) => shadeOf(coloring, item));
    const told = sample.map((item) => (isGrey(coloring, item) ? GREY : 1));
    const sums = new Float64Array(Math.max(0, ...classOf) + 1);
    let [best, most] = [identity, -Infinity];
    for (let latitude = -40; latitude <= 40; latitude += 20)
      for (let longitude = -180; longitude < 180; longitude += 20) {
        const [x, y, z] = fromDegrees(longitude, latitude);
        sums.fill(0);
        for (const [k, i] of sample.entries()) {
          const near = x * view.positions[3 * i]! + y * view.positions[3 * i + 1]! + z * view.positions[3 * i + 2]!;
          // What is in the middle counts more than what is at the limb.
          if (near > 0) sums[classOf[k]!]! += near * near * (0.05 + this.weights[i]!) * told[k]!;
        }
        const total = sums.reduce((all, weight) => all + weight, 0);
        const entropy = sums.reduce((bits, w) => bits - (w > 0 ? (w / total) * Math.log(w / total) : 0), 0);
        const sum = total * Math.exp(entropy / 2) - Math.abs(latitude) * 1e-6;
        if (sum <= most) continue;
        const turned = multiply(
          axisAngle([1, 0, 0], (latitude * Math.PI) / 180),
          axisAngle([0, 1, 0], (-longitude * Math.PI) / 180),
        );
        [best, most] = [turned, sum];
      }
    return best;
  }

  private filter(): void {
    this.mask = standing(this.model, this.coloring(this.model.views[0]!), this.store.state);
  }

  private restyle(): void {
    this.changed("style");
  }

  /** Calls `listen` when the colours and sizes, or the highlighted items, have changed. */
  onChange(listen: (what: Change) => void): void {
    this.listeners.push(listen);
  }

  private changed(what: Change): void {
    for (const listen of this.listeners) listen(what);
  }

  /** Colours and sizes of the points of a view, in drawing order. */
  appearance(view: View, order: Uint32Array): { colors: Uint8Array; sizes: Uint8Array } {
    const plain = this.plainColors(view);
    const colors = new Uint8Array(3 * order.length);
    const sizes = new Uint8Array(order.length);
    for (let k = 0; k < order.length; k++) {
      const item = order[k]!;
      colors[3 * k] = plain[3 * item]!;
      colors[3 * k + 1] = plain[3 * item + 1]!;
      colors[3 * k + 2] = plain[3 * item + 2]!;
      sizes[k] = this.sizes[item]!;
    }
    return { colors, sizes };
  }

  /** 255 for highlighted points and 0 for others, in the drawing order of a view. */
  layers(order: Uint32Array): Uint8Array {
    const { mask } = this;
    const layers = new Uint8Array(order.length);
    if (!mask) return layers.fill(255);
    for (let k = 0; k < order.length; k++) layers[k] = mask[order[k]!] ? 255 : 0;
    return layers;
  }

  /** The colour of an item in a view, highlighted or not. */
  colorOf(view: View, item: number): [number, number, number] {
    const plain = this.plainColors(view);
    return [plain[3 * item]!, plain[3 * item + 1]!, plain[3 * item + 2]!];
  }

  /** The class of each item by its place in the legend, as borders need it: only classes with a colour of their own. */
  classesOf(view: View): Uint8Array {
    const coloring = this.coloring(view);
    const classes = new Uint8Array(this.model.count).fill(NO_CLASS);
    if (coloring.kind !== "classes") return classes;
    for (let item = 0; item < classes.length; item++) {
      const place = entryOfItem(coloring, item);
      if (coloring.entries[place]!.code >= 0) classes[item] = place;
    }
    return classes;
  }

  /** Three bytes of colour for each item of a view. */
  colorsOf(view: View): Uint8Array {
    return this.plainColors(view);
  }

  private plainColors(view: View): Uint8Array {
    const { theme, ramp, color, isolated } = this.store.state;
    const key = JSON.stringify([theme, ramp, color, ...isolated]);
    let known = this.plain.get(view);
    if (known?.key !== key) {
      known = { key, colors: colorItems(this.coloring(view), this.model.count, theme === "dark", ramp, isolated) };
      this.plain.set(view, known);
    }
    return known.colors;
  }
}

/** What is grey counts so much for the first view. */
const GREY = 0.25;
/** Colours that a reader tells apart on a ramp. */
const SHADES = 6;

/** The number of the colour of an item, of the few that a reader tells apart. */
function shadeOf(coloring: Coloring, item: number): number {
  if (coloring.kind === "classes") return entryOfItem(coloring, item);
  if (coloring.kind === "plain") return 0;
  const value = coloring.column.values[item]!;
  if (Number.isNaN(value)) return 0;
  return Math.min(SHADES - 1, Math.floor(SHADES * rampShade(coloring, rampPlace(coloring, value))));
}

function isGrey(coloring: Coloring, item: number): boolean {
  if (coloring.kind === "classes") return coloring.entries[entryOfItem(coloring, item)]!.code < 0;
  return coloring.kind === "ramp" && Number.isNaN(coloring.column.values[item]!);
}
