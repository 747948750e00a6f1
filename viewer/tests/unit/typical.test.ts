import { expect, test } from "vitest";
import { typicalOf } from "../../src/ask/typical.ts";
import { type Model, numberColumn } from "../../src/data/model.ts";
import { Texts } from "../../src/data/texts.ts";

const texts = (list: readonly string[]) => Texts.of(list);

const model = {
  columns: [
    {
      type: "text",
      name: "genres",
      texts: texts(["Drama, War", "Drama", "Comedy"]),
      codes: Uint8Array.of(0, 0, 0, 1, 1, 2, 2, 2),
    },
    {
      type: "text",
      name: "title",
      texts: texts(["The long march", "March home", "a march", "Rain", "Sun", "Fun", "More fun", "Most fun"]),
      codes: null,
    },
    numberColumn("year", Float32Array.of(1940, 1941, 1942, 1990, 1991, 1992, 1993, Number.NaN)),
    numberColumn("same", new Float32Array(8)),
  ],
  degree: null,
} as unknown as Model;

test("parts of lists, words of titles and numbers tell what a selection is", () => {
  const { texts, numbers } = typicalOf(model, Uint8Array.of(1, 1, 1, 0, 0, 0, 0, 0));
  expect(texts.map((t) => t.text)).toEqual(["march", "War", "Drama"]);
  expect(texts[1]).toMatchObject({ column: "genres", inside: 1, outside: 0 });
  expect(numbers.map((n) => [n.column, n.inside, n.outside])).toEqual([["year", "1941", "1992"]]);
  expect(numbers[0]!.effect).toBeLessThan(-1.5);
});

test("the number of a cluster is only its place in a list, and typical of nothing", () => {
  const cluster = numberColumn("cluster", Float32Array.of(7, 7, 7, 0, 0, 1, 1, 2));
  const mask = Uint8Array.of(1, 1, 1, 0, 0, 0, 0, 0);
  const numbers = (clusters: unknown) =>
    typicalOf({ columns: [cluster], degree: null, clusters } as unknown as Model, mask).numbers.map((n) => n.column);
  expect(numbers({})).toEqual([]);
  // Without clusters of the map, it is a column like others.
  expect(numbers(null)).toEqual(["cluster"]);
});

test("nothing is typical of nothing", () => {
  expect(typicalOf(model, new Uint8Array(8))).toEqual({ texts: [], numbers: [] });
});
