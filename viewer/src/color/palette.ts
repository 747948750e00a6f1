/** Colours that people with any kind of colour vision can distinguish. */

export type Rgb = readonly [number, number, number];

const hex = (text: string): Rgb => [
  parseInt(text.slice(1, 3), 16),
  parseInt(text.slice(3, 5), 16),
  parseInt(text.slice(5, 7), 16),
];

/** Okabe and Ito 2008, without black; the lightness of yellow and the blues is adjusted for contrast with the background. */
const eightOnDark = ["#6cc5f5", "#e69f00", "#00b386", "#f0e442", "#e377b0", "#f26a2e", "#3572d4", "#c9ced6"].map(hex);
const eightOnLight = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#c9b700", "#5b6068"].map(hex);
/** Petroff 2021, "Accessible color sequences for data visualization", ten colours. */
const tenOnDark = [
  "#3f90da",
  "#ffa90e",
  "#e0442f",
  "#a5b5b3",
  "#a95bdb",
  "#c08672",
  "#ff7a1f",
  "#c9bc80",
  "#8a8ea0",
  "#92dadd",
].map(hex);
const tenOnLight = [
  "#3f90da",
  "#ffa90e",
  "#bd1f01",
  "#94a4a2",
  "#832db6",
  "#a96b59",
  "#e76300",
  "#b9ac70",
  "#717581",
  "#5fb9bd",
].map(hex);

export const MOST_CLASSES = 10;

export function classColors(count: number, dark: boolean): readonly Rgb[] {
  if (count <= 8) return dark ? eightOnDark : eightOnLight;
  return dark ? tenOnDark : tenOnLight;
}

/** For classes beyond the largest ten, and for items without a value. */
export const restColor = (dark: boolean): Rgb => (dark ? [104, 112, 125] : [160, 166, 175]);

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
  const on = dark ? 0.12 + 0.88 * t : 0.94 * t;
  const place = Math.max(0, Math.min(1, on)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const f = place - i;
  const a = stops[i]!;
  const b = stops[i + 1]!;
  return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f];
}

export const css = (c: Rgb, alpha = 1): string =>
  `rgba(${Math.round(c[0])},${Math.round(c[1])},${Math.round(c[2])},${alpha})`;
