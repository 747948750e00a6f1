import { expect, test } from "vitest";
import { search } from "../../src/ask/search.ts";
import { Clusters } from "../../src/data/clusters.ts";
import type { Model } from "../../src/data/model.ts";
import { Texts } from "../../src/data/texts.ts";

const IDS = ["Westport", "north-west", "Swestun", "east", "West", "none", "Western Isles", "other"];
const STATES = ["East", "East", "West Coast", "West Coast", "East", "West Coast", "East", "East"];
const distinct = [...new Set(STATES)];
const model = {
  count: IDS.length,
  ids: Texts.of(IDS),
  columns: [
    {
      type: "text",
      name: "coast",
      texts: Texts.of(distinct),
      codes: Uint8Array.from(STATES, (state) => distinct.indexOf(state)),
    },
    { type: "text", name: "note", texts: Texts.of(IDS.map((_, i) => (i === 7 ? "to the west" : ""))), codes: null },
  ],
  views: [],
  degree: null,
  clusters: new Clusters(Uint8Array.of(0, 0, 0, 0, 1, 1, 2, 2), [
    { names: ["inland", "westerly winds"], ofFinest: [0, 1, 1] },
    { names: ["inland", "sea", "westerly winds"], ofFinest: [0, 1, 2] },
  ]),
} as unknown as Model;

test("names come before classes and places, and these before texts that only mention the query", () => {
  const { named, groups, described, total } = search(model, "west");
  // The name itself, names that begin with it, a word that begins with it, and what contains it.
  expect(named.map((i) => IDS[i])).toEqual(["West", "Westport", "Western Isles", "north-west", "Swestun"]);
  expect(groups).toEqual([
    { kind: "place", name: "westerly winds", level: 0, cluster: 1, count: 4 },
    { kind: "class", name: "West Coast", column: "coast", code: 1, count: 3 },
  ]);
  expect(described.map((i) => IDS[i])).toEqual(["east", "none", "other"]);
  expect(total).toBe(8);
});

test("of equally good names, the item with the larger weight comes first", () => {
  const weights = Float32Array.from(IDS, (id) => (id === "Western Isles" ? 1 : 0));
  expect(
    search(model, "west", null, weights)
      .named.slice(0, 3)
      .map((i) => IDS[i]),
  ).toEqual(["West", "Western Isles", "Westport"]);
});

test("the column that names the items counts as their name", () => {
  expect(search(model, "to the", "note").named).toEqual([7]);
  expect(search(model, "to the").named).toEqual([]);
});
