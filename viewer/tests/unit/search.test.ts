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
  // The name itself, names that begin with it or have it as a word, and what contains it.
  expect(named.map((i) => IDS[i])).toEqual(["West", "Westport", "north-west", "Western Isles", "Swestun"]);
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

test("a surname is as good as a first name, and the better-known person comes first", () => {
  const names = ["Jordan Boyd", "Ann Jordan", "Jordanna Lee", "Max McJordan", "Ann Jordanson"];
  const people = {
    ...model,
    count: names.length,
    ids: Texts.of(names),
    columns: [],
    clusters: null,
  } as unknown as Model;
  const found = search(people, "jordan", null, Float32Array.of(0.2, 0.9, 0, 0, 0.5)).named;
  expect(found.map((i) => names[i])).toEqual([
    "Ann Jordan",
    "Jordan Boyd",
    "Jordanna Lee",
    "Ann Jordanson",
    "Max McJordan",
  ]);
});

test("a place is found once, and not again with everything that lies in it", () => {
  const cluster = { type: "text", name: "cluster_name", texts: Texts.of(["sea", "inland"]), codes: new Uint8Array(8) };
  const { groups, described, named, total } = search({ ...model, columns: [cluster] } as unknown as Model, "sea");
  expect(groups.map((group) => group.name)).toEqual(["sea"]);
  expect([named, described, total]).toEqual([[], [], 0]);
});

test("the column that names the items counts as their name", () => {
  expect(search(model, "to the", "note").named).toEqual([7]);
  expect(search(model, "to the").named).toEqual([]);
});
