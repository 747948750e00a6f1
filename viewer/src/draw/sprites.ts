/** The items' small images, made ready as they come into sight. */
import type { Sprites } from "../data/model.ts";

const MOST_KEPT = 6000;

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
