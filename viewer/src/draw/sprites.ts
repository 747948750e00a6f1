/** Small images of the items, prepared when they become visible. */

import { css } from "../color/palette.ts";
import type { Sprites } from "../data/model.ts";
import type { Frame } from "../geometry/frame.ts";
import type { Box } from "./rooms.ts";
import type { Surface } from "./surface.ts";

const MOST_KEPT = 6000;
/** Maximum number of images drawn at the same time. */
const MOST_DRAWN = 3000;

export class SpriteSheet {
  private readonly ready = new Map<string, HTMLCanvasElement>();

  constructor(private readonly sprites: Sprites) {}

  get aspect(): number {
    return this.sprites.width / this.sprites.height;
  }

  /** The image of an item; ink is drawn in the colour given. */
  image(item: number, [r, g, b]: readonly [number, number, number]): HTMLCanvasElement {
    const { width, height, channels, pixels } = this.sprites;
    const key = channels === 1 ? `${item}:${r},${g},${b}` : String(item);
    const known = this.ready.get(key);
    if (known) return known;
    if (this.ready.size > MOST_KEPT) this.ready.clear();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(width, height);
    const start = item * width * height * channels;
    for (let p = 0; p < width * height; p++) {
      const at = start + p * channels;
      if (channels === 1) image.data.set([r, g, b, pixels[at]!], 4 * p);
      else
        image.data.set([pixels[at]!, pixels[at + 1]!, pixels[at + 2]!, channels === 4 ? pixels[at + 3]! : 255], 4 * p);
    }
    context.putImageData(image, 0, 0);
    this.ready.set(key, canvas);
    return canvas;
  }
}

export interface SpriteLook {
  /** 1 if an item is highlighted; null if all are. */
  mask: Uint8Array | null;
  /** The background of the images, so that points behind them are not visible. */
  ground: string;
  /** Minimum distance between images, relative to their size: at 1 they may touch. */
  apart: number;
  /** Boxes of names, which images do not cover. */
  names: readonly Box[];
  color(item: number): readonly [number, number, number];
}

const covers = (box: Box, x: number, y: number, width: number, height: number): boolean =>
  Math.abs(box.x + box.width / 2 - x) < (box.width + width) / 2 &&
  Math.abs(box.y + box.height / 2 - y) < (box.height + height) / 2;

/**
 * Draws images of visible items if there is room: in a fixed order, without overlap, with `size` pixels along their longer
 * side. Returns the items that are shown as images.
 */
export function drawSprites(
  surface: Surface,
  frame: Frame,
  sheet: SpriteSheet,
  positions: Float32Array,
  order: Uint32Array,
  size: number,
  look: SpriteLook,
): Set<number> {
  const height = size / Math.max(1, sheet.aspect);
  const width = height * sheet.aspect;
  const [acrossCell, downCell] = [width * look.apart, height * look.apart];
  const out = new Float64Array(3);
  const taken = new Map<number, [number, number]>();
  const shown = new Set<number>();
  /** Each cell contains at most one image, and images that are too close are in adjacent cells. */
  const free = (x: number, y: number, column: number, row: number) => {
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const other = taken.get((row + dy) * 65536 + column + dx);
        if (other && Math.abs(other[0] - x) < acrossCell && Math.abs(other[1] - y) < downCell) return false;
      }
    return true;
  };
  for (const item of order) {
    if (shown.size >= MOST_DRAWN) break;
    if (look.mask && look.mask[item] !== 1) continue;
    frame.project(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!, out);
    const [x, y, near] = [out[0]!, out[1]!, out[2]!];
    // Not near the limb, where the sphere is seen edge-on.
    if (near <= 0.12 || x < -size || x > frame.width + size || y < -size || y > frame.height + size) continue;
    const [column, row] = [Math.floor(x / acrossCell) + 100, Math.floor(y / downCell) + 100];
    if (!free(x, y, column, row) || look.names.some((name) => covers(name, x, y, width, height))) continue;
    taken.set(row * 65536 + column, [x, y]);
    shown.add(item);
    const opacity = 0.25 + 0.75 * Math.min(1, near / 0.4);
    const [left, top] = [x - width / 2, y - height / 2];
    const color = look.color(item);
    surface.box(left, top, width, height, size * 0.18, {
      fill: look.ground,
      stroke: css(color, 0.55),
      width: 0.8,
      opacity,
    });
    surface.image(sheet.image(item, color), left, top, width, height, opacity);
  }
  return shown;
}
