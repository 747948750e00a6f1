/** The items' small images, made ready as they come into sight. */
import type { Sprites } from "../data/model.ts";
import type { Frame } from "../geometry/frame.ts";

const MOST_KEPT = 6000;
/** More images than this are not drawn at once. */
const MOST_DRAWN = 4000;

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
      else image.data.set([pixels[at]!, pixels[at + 1]!, pixels[at + 2]!, channels === 4 ? pixels[at + 3]! : 255], 4 * p);
    }
    context.putImageData(image, 0, 0);
    this.ready.set(key, canvas);
    return canvas;
  }
}

export interface SpriteLook {
  /** 1 where an item stands out; null if all do. */
  mask: Uint8Array | null;
  /** Whether the far side is shown faintly. */
  ghost: boolean;
  color(item: number): readonly [number, number, number];
}

/** Draws the images of all items in sight, `size` pixels along their longer side. */
export function drawSprites(
  c: CanvasRenderingContext2D, frame: Frame, sheet: SpriteSheet, positions: Float32Array, order: Uint32Array, size: number, look: SpriteLook,
): void {
  const height = size / Math.max(1, sheet.aspect);
  const width = height * sheet.aspect;
  const out = new Float64Array(3);
  let left = MOST_DRAWN;
  for (const item of order) {
    frame.project(positions[3 * item]!, positions[3 * item + 1]!, positions[3 * item + 2]!, out);
    const [x, y, near] = [out[0]!, out[1]!, out[2]!];
    if ((near <= 0 && !look.ghost) || x < -size || x > frame.width + size || y < -size || y > frame.height + size) continue;
    if (left-- <= 0) break;
    const stands = !look.mask || look.mask[item] === 1;
    c.globalAlpha = near <= 0 ? 0.1 : (stands ? 1 : 0.2) * (0.25 + 0.75 * Math.min(1, near / 0.4));
    c.drawImage(sheet.image(item, stands ? look.color(item) : [128, 134, 144]), x - width / 2, y - height / 2, width, height);
  }
  c.globalAlpha = 1;
}
