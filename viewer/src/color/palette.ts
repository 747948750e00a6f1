/** Colours that people with any kind of colour vision can distinguish. */

export type Rgb = readonly [number, number, number];

const hex = (text: string): Rgb => [
  parseInt(text.slice(1, 3), 16),
  parseInt(text.slice(3, 5), 16),
  parseInt(text.slice(5, 7), 16),
];

/**
 * Ten colours, none of them grey: grey is for the rest only. Hues go around the circle and lightness goes up and down, so
 * that neighbours in the list differ in both. The first eight are near those of Okabe and Ito (2008).
 */
const onLight = [
  "#1170b8",
  "#e8820c",
  "#12946c",
  "#c8377d",
  "#7c4dbd",
  "#a8710a",
  "#2aa9d2",
  "#d4382c",
  "#7a9a1a",
  "#d678c4",
].map(hex);
const onDark = [
  "#4da3ec",
  "#ffa02e",
  "#2cc795",
  "#f5679f",
  "#ab86f2",
  "#d9b13b",
  "#6fdcf5",
  "#ff6f5e",
  "#a9cf4a",
  "#f2a6e4",
].map(hex);

export const MOST_CLASSES = 10;

export const classColors = (dark: boolean): readonly Rgb[] => (dark ? onDark : onLight);

/** For classes beyond the largest ten, and for items without a value. */
export const restColor = (dark: boolean): Rgb => (dark ? [104, 112, 125] : [160, 166, 175]);

/** For an isolated class that has no colour of its own. */
export const strongColor = (dark: boolean): Rgb => (dark ? [240, 244, 250] : [31, 41, 55]);

/** Stops of viridis (van der Walt and Smith 2015) and of cividis (Nuñez, Anderton, Renslow 2018). */
const viridis = [
  "#440154",
  "#482475",
  "#414487",
  "#355f8d",
  "#2a788e",
  "#21918c",
  "#22a884",
  "#44bf70",
  "#7ad151",
  "#bddf26",
  "#fde725",
].map(hex);
const cividis = [
  "#00224e",
  "#123570",
  "#3b496c",
  "#575d6d",
  "#707173",
  "#8a8678",
  "#a59c74",
  "#c3b369",
  "#e1cc55",
  "#fee838",
].map(hex);

export const ramps = { viridis, cividis } as const;
export type RampName = keyof typeof ramps;

/** The colour at t in [0, 1]. The dark end is avoided on a dark page, the bright end on a light one. */
export function rampColor(ramp: RampName, t: number, dark: boolean): Rgb {
  const stops = ramps[ramp];
  const on = dark ? 0.22 + 0.78 * t : 0.94 * t;
  const place = Math.max(0, Math.min(1, on)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const f = place - i;
  const a = stops[i]!;
  const b = stops[i + 1]!;
  return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f];
}

export const css = (c: Rgb, alpha = 1): string =>
  `rgba(${Math.round(c[0])},${Math.round(c[1])},${Math.round(c[2])},${alpha})`;
