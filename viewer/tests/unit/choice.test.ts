import { expect, test } from "vitest";
import {
  covered,
  firstColor,
  firstLabel,
  firstProjection,
  firstSize,
  idsAreCodes,
  namingColumn,
} from "../../src/choice.ts";
import { coloringOf, rampPlace, rampShade, rampValue, titleOf } from "../../src/color/coloring.ts";
import { type Column, type Model, numberColumn, type TextColumn } from "../../src/data/model.ts";
import { Texts } from "../../src/data/texts.ts";

const N = 300;
const text = (name: string, classes: number): Column => ({
  type: "text",
  name,
  texts: Texts.of(Array.from({ length: classes }, (_, k) => `${name} ${k}`)),
  codes: classes < N ? Uint16Array.from({ length: N }, (_, i) => i % classes) : null,
});
const number = (name: string, value: (i: number) => number): Column =>
  numberColumn(
    name,
    Float64Array.from({ length: N }, (_, i) => value(i)),
  );
const model = (columns: Column[], more: Partial<Model> = {}): Model =>
  ({
    count: N,
    ids: Texts.of(Array.from({ length: N }, (_, i) => `item ${i}`)),
    numbered: false,
    columns,
    views: [{ trust: null }],
    degree: null,
    color: null,
    size: null,
    label: null,
    ...more,
  }) as unknown as Model;

const x = number("x", (i) => Math.sin(i));
const degree = numberColumn(
  "degree",
  Float64Array.from({ length: N }, (_, i) => 1000 / (i + 1)),
);

test("colours show classes first, and never a coordinate of another layout", () => {
  expect(firstColor(model([x, text("continent", 6)]))).toBe("continent");
  expect(firstColor(model([x, number("lat", (i) => i / 3), number("PC1", (i) => i / 7)]))).toBeNull();
  expect(firstColor(model([x], { degree } as Partial<Model>))).toBe("degree");
  expect(firstColor(model([text("state", 51), text("region", 9)]))).toBe("region");
  expect(firstColor(model([text("state", 51), number("income", (i) => i)]))).toBe("state");
  // A digit is a class, even in a column that is called y.
  expect(firstColor(model([number("size", (i) => i / 7), number("y", (i) => i % 10)]))).toBe("y");
  expect(firstColor(model([text("region", 9), x], { color: "x" } as Partial<Model>))).toBe("x");
});

test("classes with names come before classes with numbers, whatever the columns are called", () => {
  const numbered: Column = { ...(text("louvain", 9) as TextColumn), texts: Texts.of(Array.from("012345678")) };
  expect(firstColor(model([numbered, text("bulk_labels", 10)]))).toBe("bulk_labels");
  expect(firstColor(model([numbered, text("phase", 3)]))).toBe("phase");
  expect(firstColor(model([numbered, number("n_counts", (i) => i)]))).toBe("louvain");
});

test("clusters that were found come after few classes, before many, and their numbers are not used", () => {
  const clusters = { clusters: {} } as Partial<Model>;
  const found = [number("cluster", (i) => i % 15), text("cluster_name", 15)];
  expect(firstColor(model([...found, text("topic", 5)], clusters))).toBe("topic");
  expect(firstColor(model([...found, text("state", 51), number("income", (i) => i)], clusters))).toBe("cluster_name");
  expect(firstColor(model(found, clusters))).toBe("cluster_name");
});

test("while colours show a number, the best classes name the parts of the map", () => {
  expect(namingColumn(model([number("depth", (i) => i), text("type", 8)]))).toBe("type");
  expect(namingColumn(model([number("depth", (i) => i)]))).toBeNull();
});

test("barcodes and row numbers are no names, and a column of titles is better", () => {
  const barcodes = Texts.of(Array.from({ length: N }, (_, i) => `AACG${i}TTGA-1`));
  expect(idsAreCodes(model([], { ids: barcodes } as Partial<Model>))).toBe(true);
  expect(idsAreCodes(model([]))).toBe(false);
  const sequences = Texts.of(Array.from({ length: N }, (_, i) => `AAACATACAA${"ACGT"[i % 4]}CAC`));
  expect(idsAreCodes(model([], { ids: sequences } as Partial<Model>))).toBe(true);
  const hashes = Texts.of(Array.from({ length: N }, (_, i) => `9f86d08188${i}4c`));
  expect(idsAreCodes(model([], { ids: hashes } as Partial<Model>))).toBe(true);
  const codes = Texts.of(Array.from({ length: N }, (_, i) => `ATL${i % 10}`));
  expect(idsAreCodes(model([], { ids: codes } as Partial<Model>))).toBe(false);
  const numbered = { numbered: true } as Partial<Model>;
  expect(firstLabel(model([text("title", N)], numbered))).toBe("title");
  expect(firstLabel(model([text("title", N)]))).toBeNull();
  expect(firstLabel(model([text("label", 10)], numbered))).toBeNull();
});

test("a page of images begins with the whole map, where there is room", () => {
  const images = (space: string, more = {}) =>
    model([], { sprites: {}, views: [{ trust: null, space }], ...more } as unknown as Partial<Model>);
  expect(firstProjection(images("sphere"), 1.6)).toBe("equalearth");
  expect(firstProjection(images("sphere"), 0.5)).toBe("globe");
  expect(firstProjection(images("plane"), 1.6)).toBe("globe");
  expect(firstProjection(images("plane", { sprites: null }), 1.6)).toBe("globe");
});

test("a few islands in a large ocean open with the whole map, and land everywhere with the globe", () => {
  // A spiral covers the whole sphere evenly, or three caps of it.
  const spiral = (points: number, inside: (p: readonly [number, number, number]) => boolean) => {
    const all = Array.from({ length: points }, (_, k) => {
      const y = 1 - (2 * k + 1) / points;
      const [r, a] = [Math.sqrt(1 - y * y), k * 2.399963];
      return [r * Math.cos(a), y, r * Math.sin(a)] as const;
    });
    return Float32Array.from(all.filter(inside).flat());
  };
  const islands = spiral(12_000, ([x, y, z]) => x > 0.95 || y > 0.95 || z < -0.95);
  const land = spiral(3000, () => true);
  expect(covered(islands)).toBeLessThan(0.2);
  expect(covered(land)).toBeGreaterThan(0.95);
  const opened = (positions: Float32Array, shape = 1.6) =>
    firstProjection(
      model([], { views: [{ trust: null, space: "sphere", positions }] } as unknown as Partial<Model>),
      shape,
    );
  expect(opened(islands)).toBe("equalearth");
  expect(opened(islands, 0.5)).toBe("globe");
  expect(opened(land)).toBe("globe");
  // So few items leave most of the sphere empty, wherever they are.
  expect(opened(spiral(100, () => true))).toBe("globe");
});

test("columns have words for names", () => {
  expect(["bulk_labels", "median_year", "2", "_", "cluster_name", "n"].map(titleOf)).toEqual([
    "bulk labels",
    "median year",
    "column 2",
    "_",
    "Cluster",
    "column n",
  ]);
});

test("sizes show the degree only if it differs clearly", () => {
  expect(firstSize(model([], { degree } as Partial<Model>))).toBe("degree");
  const even = numberColumn(
    "degree",
    Float64Array.from({ length: N }, (_, i) => 1 + (i % 7) / 10),
  );
  expect(firstSize(model([], { degree: even } as Partial<Model>))).toBeNull();
});

test("what the maker of the page chose comes first", () => {
  const columns = [number("mass", (i) => i), text("region", 9)];
  const chosen = (more: Partial<Model>) => model(columns, { degree, ...more });
  expect(firstSize(chosen({ size: "mass" }))).toBe("mass");
  expect(firstSize(chosen({ size: "none" }))).toBeNull();
  expect(firstSize(chosen({ size: "degree" }))).toBe("degree");
  expect(firstSize(chosen({ size: "region" }))).toBe("degree");
  expect(firstLabel(chosen({ label: "region" }))).toBe("region");
  expect(firstLabel(chosen({ label: "gone" }))).toBeNull();
});

test("skewed numbers have a logarithmic scale, also from zero on, and it can be inverted", () => {
  for (const [column, logarithmic] of [
    [number("flat", (i) => i), false],
    [number("skewed", (i) => 1000 / (i + 1)), true],
    [number("from zero", (i) => (i % 5 === 0 ? 0 : 1000 / (i + 1))), true],
    [number("signed", (i) => (i % 2 ? 1 : -1) * (1000 / (i + 1))), false],
  ] as const) {
    const coloring = coloringOf(model([column]), null, column.name);
    if (coloring.kind !== "ramp") throw new Error("a number has a scale");
    expect(coloring.logarithmic, column.name).toBe(logarithmic);
    for (const place of [0, 0.3, 1]) expect(rampPlace(coloring, rampValue(coloring, place))).toBeCloseTo(place, 9);
  }
});

test("colours of crowded values differ, and those of even ones are in proportion", () => {
  const shadeOf = (value: (i: number) => number) => {
    const coloring = coloringOf(model([number("year", value)]), null, "year");
    if (coloring.kind !== "ramp") throw new Error("a number has a scale");
    return (x: number) => rampShade(coloring, rampPlace(coloring, x));
  };
  const even = shadeOf((i) => i + 0.5);
  for (const x of [0.5, 75.5, 150.5, 299.5]) expect(even(x)).toBeCloseTo((x - 0.5) / 299, 1);
  // Most films are of the last years.
  const years = shadeOf((i) => 1945 + 67 * (i / (N - 1)) ** 0.2);
  expect(years(1945)).toBe(0);
  expect(years(2012)).toBe(1);
  expect(years(2011) - years(2003)).toBeGreaterThan(1.8 * (8 / 67));
  for (let year = 1946; year <= 2012; year++) expect(years(year)).toBeGreaterThan(years(year - 1));
});
