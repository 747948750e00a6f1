/** Which items lie within a line drawn around them. */
import type { Frame } from "../geometry/frame.ts";
import type { LassoMode } from "../state.ts";

/** One byte an item: 1 where it is on the near side and its pixel lies within the closed line, in a picture at rest. */
export function within(frame: Frame, positions: Float32Array, line: readonly (readonly [number, number])[]): Uint8Array {
  const count = positions.length / 3;
  const mask = new Uint8Array(count);
  const x0 = Math.floor(Math.min(...line.map((p) => p[0])));
  const y0 = Math.floor(Math.min(...line.map((p) => p[1])));
  const width = Math.ceil(Math.max(...line.map((p) => p[0]))) - x0 + 1;
  const height = Math.ceil(Math.max(...line.map((p) => p[1]))) - y0 + 1;
  const inside = rasterize(line, x0, y0, width, height);
  const out = new Float64Array(3);
  const { rotation: r, to, scale, centerX, centerY } = frame;
  // Before its place is computed, most points are out: on maps the height depends on the latitude alone, in the fish-eye
  // the distance from the middle on the depth alone.
  const [south, north] = to.cut ? latitudes(frame, y0, y0 + height) : [-2, 2];
  const far = Math.max(...line.map((p) => Math.hypot(p[0] - centerX, p[1] - centerY))) / scale + 2 / scale;
  const deep = to.id === "fisheye" ? 1 - (far * far) / 2 : -2;
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
    const vy = r[1]! * x + r[4]! * y + r[7]! * z;
    if (vy < south || vy > north) continue;
    const vz = r[2]! * x + r[5]! * y + r[8]! * z;
    if (vz < deep) continue;
    to.forward(r[0]! * x + r[3]! * y + r[6]! * z, vy, vz, out);
    if (out[2]! <= 0) continue;
    const column = Math.floor(centerX + scale * out[0]!) - x0;
    const row = Math.floor(centerY - scale * out[1]!) - y0;
    if (column >= 0 && row >= 0 && column < width && row < height && inside[row * width + column]) mask[i] = 1;
  }
  return mask;
}

/** Sines of the latitudes at the lowest and the highest of these pixels. */
function latitudes(frame: Frame, top: number, bottom: number): [number, number] {
  const at = (py: number, otherwise: number) => {
    const v = frame.to.inverse(0, (frame.centerY - py) / frame.scale);
    return v ? v[1] : otherwise;
  };
  return [at(bottom + 1, -2), at(top - 1, 2)];
}

/** The even-odd inside of a closed line, one byte a pixel, tested at the pixels' middles: one test a pixel, none a point. */
export function rasterize(
  line: readonly (readonly [number, number])[], x0: number, y0: number, width: number, height: number,
): Uint8Array {
  const inside = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const y = y0 + row + 0.5;
    const crossings: number[] = [];
    for (let k = 0; k < line.length; k++) {
      const [ax, ay] = line[k]!;
      const [bx, by] = line[(k + 1) % line.length]!;
      if (ay <= y !== by <= y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const start = Math.max(0, Math.ceil(crossings[k]! - x0 - 0.5));
      const end = Math.min(width - 1, Math.floor(crossings[k + 1]! - x0 - 0.5));
      if (end >= start) inside.fill(1, row * width + start, row * width + end + 1);
    }
  }
  return inside;
}

/** The selection after a lasso; null when nothing is left. */
export function combine(before: Uint8Array | null, lassoed: Uint8Array, mode: LassoMode): Uint8Array | null {
  const after = mode === "replace" || !before ? new Uint8Array(lassoed.length) : before.slice();
  if (mode === "subtract" && !before) after.fill(1);
  let any = false;
  for (let i = 0; i < after.length; i++) {
    if (lassoed[i]) after[i] = mode === "subtract" ? 0 : 1;
    any ||= after[i] === 1;
  }
  return any ? after : null;
}
