import { expect, test } from "vitest";
import { asClasses, coloringOf } from "../../src/color/coloring.ts";
import { fromPlanes } from "../../src/data/blocks.ts";
import { formatNumber, type Model, numberColumn, textOf } from "../../src/data/model.ts";
import { fromOctahedral, shuffled } from "../../src/data/positions.ts";
import { NumberTexts, Texts } from "../../src/data/texts.ts";

test("planes of bytes become numbers", () => {
  expect([...fromPlanes(Uint8Array.of(1, 2, 0, 1), { length: 2, bytes: 2, kind: "u" })]).toEqual([1, 258]);
  expect([...fromPlanes(Uint8Array.of(255, 0, 255, 0, 255, 1), { length: 2, bytes: 3, kind: "u" })]).toEqual([
    0xffffff, 0x010000,
  ]);
  expect([...fromPlanes(Uint8Array.of(0xff, 0xff, 0xff, 0xff), { length: 1, bytes: 4, kind: "u" })]).toEqual([
    0xffffffff,
  ]);
  const bytes = new Uint8Array(Float32Array.of(1.5, -2).buffer);
  const planes = Uint8Array.of(bytes[0]!, bytes[4]!, bytes[1]!, bytes[5]!, bytes[2]!, bytes[6]!, bytes[3]!, bytes[7]!);
  expect([...fromPlanes(planes, { length: 2, bytes: 4, kind: "f" })]).toEqual([1.5, -2]);
});

test("the data's north is the page's up, and its x axis faces the reader", () => {
  const steps = 2 ** 24 - 1;
  const half = steps / 2;
  const v = fromOctahedral(Float64Array.of(half, half, steps, half, half, steps, 0, 0), 24);
  for (const [i, x] of [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, -1, 0].entries()) expect(v[i]!).toBeCloseTo(x, 6);
});

test("the shuffle has every item once and is the same each time", () => {
  const order = shuffled(1000);
  expect(new Set(order).size).toBe(1000);
  expect([...order]).toEqual([...shuffled(1000)]);
  expect([...order.slice(0, 5)]).not.toEqual([0, 1, 2, 3, 4]);
});

test("texts are found wherever they contain the query, but not across two of them", () => {
  const texts = Texts.of(["Zürich", "", "Genève", "rich", "Zug", "Lac de Zoug, Zug", "Les Bains d'Ouchy"]);
  const found = (query: string) => {
    const hits: [number, number][] = [];
    texts.search(query, (i, rank) => void hits.push([i, rank]));
    return hits;
  };
  expect(found("RICH")).toEqual([
    [0, 3],
    [3, 0],
  ]);
  expect(found("chgen")).toEqual([]);
  expect(found("zu")).toEqual([
    [4, 1],
    [5, 2],
  ]);
  expect(found("ouchy")).toEqual([[6, 1]]);
  expect(found("hz")).toEqual([]);
  expect(found("")).toEqual([]);
  expect(texts.at(1)).toBe("");
});

test("one search through all texts finds what a look at each of them finds", () => {
  const letters = ["a", "b", "ab", " ", "é", "1"];
  let seed = 1;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const word = (most: number) =>
    Array.from({ length: Math.floor(random() * most) }, () => letters[Math.floor(random() * letters.length)]).join("");
  const rankOf = (text: string, query: string): number | null => {
    if (!text.includes(query)) return null;
    if (text === query) return 0;
    if (text.startsWith(query)) return 1;
    const places = Array.from(text, (_, at) => at).filter((at) => text.startsWith(query, at));
    const gap = (at: number) => at === text.length || !/[\p{L}\p{N}]/u.test(text[at]!);
    const begins = places.filter((at) => gap(at - 1));
    return begins.some((at) => gap(at + query.length)) ? 1 : begins.length ? 2 : 3;
  };
  for (let round = 0; round < 300; round++) {
    const texts = Array.from({ length: 30 }, () => word(6));
    const query = word(3) || "a";
    const found = new Map<number, number>();
    Texts.of(texts).search(query, (i, rank) => void found.set(i, rank));
    const expected = texts.flatMap((text, i) =>
      rankOf(text, query) === null ? [] : [[i, rankOf(text, query)!] as const],
    );
    expect([...found]).toEqual(expected);
  }
});

test("numbers are found like other texts", () => {
  const numbers = new NumberTexts(130);
  const hits: number[] = [];
  numbers.search("12", (i) => void hits.push(i));
  expect(hits).toEqual([12, 112, ...Array.from({ length: 10 }, (_, k) => 120 + k)]);
  expect(numbers.at(7)).toBe("7");
  expect(numbers.length).toBe(130);
});

test("letters that grow in lower case do not shift the others", () => {
  const texts = Texts.of(["İİİ", "abc", "X"]);
  const hits: number[] = [];
  texts.search("ABC", (i) => void hits.push(i));
  texts.search("x", (i) => void hits.push(i));
  expect(hits).toEqual([1, 2]);
});

test("numbers read as people write them", () => {
  expect([6903, 123456, 138499.3, 0.1 + 0.2, 1e-9, -0.5, 1e20].map((x) => formatNumber(x))).toEqual([
    "6,903",
    "123,456",
    "138,499",
    "0.3",
    "1.000e-9",
    "-0.5",
    "1.000e+20",
  ]);
});

test("years have no commas, other numbers of the same size do", () => {
  const column = (...values: number[]) => numberColumn("n", Float64Array.from(values));
  expect(textOf(column(1987, 2004, NaN), 0)).toBe("1987");
  expect(textOf(column(1987, 20040), 0)).toBe("1,987");
  expect(textOf(column(1987.5, 2004), 1)).toBe("2,004");
});

test("a few small whole numbers are classes in their order, and everything else is a scale", () => {
  const repeated = (values: number[]) =>
    numberColumn(
      "n",
      Float64Array.from({ length: 60 }, (_, i) => values[i % values.length]!),
    );
  const digits = repeated([7, 0, 2, 9]);
  const classes = asClasses(digits)!;
  expect(Array.from({ length: 4 }, (_, k) => classes.texts.at(k))).toEqual(["0", "2", "7", "9"]);
  expect([...classes.codes!.slice(0, 4)]).toEqual([2, 0, 1, 3]);
  const coloring = coloringOf({ columns: [digits], views: [] } as unknown as Model, null, "n");
  expect(coloring.kind === "classes" && coloring.entries.map((e) => [e.name, e.count])).toEqual([
    ["0", 15],
    ["2", 15],
    ["7", 15],
    ["9", 15],
  ]);
  for (const values of [[1, 2.5], [1999, 2000], [-1, 1], [3], [NaN, 1, 2], Array.from({ length: 11 }, (_, k) => k)])
    expect(asClasses(repeated(values))).toBeNull();
});
