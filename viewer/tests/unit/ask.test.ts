import { expect, test } from "vitest";
import { combine, rasterize, within, withinAny } from "../../src/ask/lasso.ts";
import { type Model, numberColumn } from "../../src/data/model.ts";
import { Texts } from "../../src/data/texts.ts";
import { areaOfNames, type Candidate, linesOf, Placer, spaced } from "../../src/draw/labels.ts";
import type { Box, Cover } from "../../src/draw/rooms.ts";
import { Frame, fittingScale } from "../../src/geometry/frame.ts";
import { projections } from "../../src/geometry/projection.ts";
import { axisAngle, fromDegrees } from "../../src/geometry/vector.ts";
import { freePart } from "../../src/layout.ts";
import { cell } from "../../src/share/csv.ts";
import { decode, encode } from "../../src/share/permalink.ts";
import { xml } from "../../src/share/svg-surface.ts";
import type { State } from "../../src/state.ts";

test("a lasso is filled as the even-odd rule says", () => {
  const inside = rasterize(
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ],
    -1,
    -1,
    6,
    6,
  );
  expect([...inside].reduce((a, b) => a + b, 0)).toBe(16);
  // A bow tie: two triangles, nothing where it crosses itself twice.
  const bow = rasterize(
    [
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
    ],
    0,
    0,
    10,
    10,
  );
  expect(bow[5 * 10 + 1]).toBe(1);
  expect(bow[0 * 10 + 5]).toBe(0);
});

test("lassos add and subtract", () => {
  const [a, b] = [Uint8Array.of(1, 1, 0, 0), Uint8Array.of(0, 1, 1, 0)];
  expect([...combine(a, b, "add")!]).toEqual([1, 1, 1, 0]);
  expect([...combine(a, b, "subtract")!]).toEqual([1, 0, 0, 0]);
  expect([...combine(a, b, "replace")!]).toEqual([0, 1, 1, 0]);
  expect(combine(b, b, "subtract")).toBeNull();
  expect([...combine(null, b, "subtract")!]).toEqual([1, 0, 0, 1]);
});

test.each(["equalearth", "mollweide"] as const)(
  "a lasso on a map finds what projecting every point finds: %s",
  (id) => {
    const count = 12_000;
    const positions = new Float32Array(3 * count);
    for (let i = 0; i < count; i++)
      positions.set(fromDegrees((i * 137.507764) % 360, (Math.asin(1 - (2 * i + 1) / count) * 180) / Math.PI), 3 * i);
    const lines: [number, number][][] = [
      [
        [300, 200],
        [520, 180],
        [600, 420],
        [280, 500],
      ],
      [
        [-50, -50],
        [900, -50],
        [900, 850],
        [-50, 850],
      ],
      // Over the northern pole and past the edge of the map.
      [
        [395, 190],
        [700, 205],
        [640, 300],
        [410, 260],
      ],
      [
        [350.2, 300.1],
        [351.1, 300.3],
        [350.6, 301.4],
      ],
    ];
    for (const zoom of [1, 3.7])
      for (const line of lines) {
        const frame = new Frame(
          800,
          800,
          { ...camera(1.3), zoom },
          { x: 0, y: 0, width: 800, height: 800 },
          projections[id],
        );
        const fast = within(frame, positions, line);
        const [xs, ys] = [line.map((p) => p[0]), line.map((p) => p[1])];
        const [x0, y0] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
        const [width, height] = [Math.ceil(Math.max(...xs)) - x0 + 1, Math.ceil(Math.max(...ys)) - y0 + 1];
        const slow = withinAny(frame, positions, {
          inside: rasterize(line, x0, y0, width, height),
          x0,
          y0,
          width,
          height,
        });
        let [different, all] = [0, 0];
        for (let i = 0; i < count; i++) {
          different += Number(fast[i] !== slow[i]);
          all += slow[i]!;
        }
        // Points within a hundredth of a pixel of a pixel's border may fall on either side; only the lasso's outline counts.
        expect(different).toBeLessThanOrEqual(Math.ceil(all * 2e-4));
      }
  },
);

const camera = (angle: number, zoom = 1) => ({
  orientation: axisAngle([0.2, 1, 0], angle),
  zoom,
  panX: 0,
  panY: 0,
});
const frame = (angle: number, zoom = 1) =>
  new Frame(800, 800, camera(angle, zoom), { x: 0, y: 0, width: 800, height: 800 }, projections.globe);
const candidates: Candidate[] = Array.from({ length: 600 }, (_, key) => ({
  key,
  text: `label ${key}`,
  position: fromDegrees((key * 137.5) % 360, (Math.asin(((key * 0.7548776662) % 1) * 2 - 1) * 180) / Math.PI),
  weight: 1 - key / 600,
  clear: 3,
  kind: "item",
}));

test("labels never overlap and stay steady while turning", () => {
  const placer = new Placer((text, size) => text.length * size * 0.55);
  let before = new Map<number, { x: number; y: number }>();
  let lasted = 0;
  let all = 0;
  for (let k = 0; k < 60; k++) {
    const labels = placer.place(
      frame(k * 0.01),
      candidates,
      [{ x: 0, y: 0, width: 200, height: 100 }],
      1.2e5,
      k * 16,
      true,
    );
    expect(labels.length).toBeGreaterThan(30);
    for (const [i, a] of labels.entries()) {
      expect(a.x < 200 && a.y < 100).toBe(false);
      for (const b of labels.slice(0, i)) {
        expect(
          a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
          `${a.text} and ${b.text}`,
        ).toBe(false);
      }
    }
    if (k > 0) {
      all += before.size;
      for (const label of labels) {
        const was = before.get(label.key);
        if (was && Math.hypot(was.x - label.x, was.y - label.y) < 8) lasted++;
      }
    }
    before = new Map(labels.map((l) => [l.key, l]));
  }
  expect(lasted / all).toBeGreaterThan(0.93);
});

test("at rest the weightiest labels win", () => {
  const placer = new Placer((text, size) => text.length * size * 0.55);
  const labels = placer.place(frame(0), candidates, [], 2.5e4, 0, false);
  expect(labels.length).toBeGreaterThan(10);
  expect(Math.max(...labels.map((l) => l.key))).toBeLessThan(80);
});

test("names take no more of the map if they are long: there are fewer of them", () => {
  const view = frame(0);
  const area = areaOfNames(view, { width: 800, height: 800 });
  const placed = (letters: number) => {
    const named = candidates.map((c) => ({ ...c, text: "x".repeat(letters) }));
    return new Placer((text, size) => text.length * size * 0.55).place(view, named, [], area, 0, false);
  };
  const [codes, names] = [placed(3), placed(16)];
  expect(codes.length).toBeGreaterThan(70);
  expect(names.length).toBeLessThan(codes.length / 1.8);
  for (const labels of [codes, names]) {
    const covered = labels.reduce((sum, l) => sum + l.width * l.height, 0);
    expect(covered / (Math.PI * 400 * 400)).toBeLessThan(0.2);
  }
  // A wide window has no more room for names than the globe in it, and a map that fills the window has it all.
  expect(areaOfNames(view, { width: 5000, height: 800 })).toBeCloseTo(area);
  expect(areaOfNames(frame(0, 20), { width: 800, height: 800 })).toBeCloseTo(area);
});

test("names stay away from the limb, where they would leave the globe", () => {
  const at = (degrees: number): Candidate => ({ ...candidates[0]!, position: fromDegrees(degrees, 0) });
  const shown = (degrees: number) => new Placer(() => 60).place(frame(0), [at(degrees)], [], 1e6, 0, false).length;
  expect(shown(60)).toBe(1);
  expect(shown(75)).toBe(0);
});

test("a class has its name once in sight, wherever its densest place is", () => {
  const named = (key: number, degrees: number): Candidate => ({
    ...candidates[0]!,
    key,
    position: fromDegrees(degrees, 0),
    kind: "class",
    group: 3,
    weight: 1 + key / 100,
  });
  const shown = (...places: Candidate[]) =>
    new Placer(() => 60).place(frame(0), places, [], 1e6, 0, false).map((label) => label.key);
  expect(shown(named(-1, 30), named(-2, 0))).toEqual([-1]);
  // The first one is beyond the limb.
  expect(shown(named(-1, 85), named(-2, 45))).toEqual([-2]);
  // Far apart, both are needed, but no spare one.
  expect(shown(named(-1, 45), named(-2, -45))).toEqual([-1, -2]);
  expect(shown(named(-1, 45), { ...named(-2, -45), spare: true })).toEqual([-1]);
  expect(shown(named(-1, 85), { ...named(-2, -45), spare: true })).toEqual([-2]);
});

test("underscores between letters are spaces in names", () => {
  expect(["Jordan_M", "CD4_T_cells", "_x", "a__b", "v_2"].map(spaced)).toEqual([
    "Jordan\u00a0M",
    "CD4\u00a0T\u00a0cells",
    "_x",
    "a__b",
    "v_2",
  ]);
});

/** Points everywhere but in one box. */
const crowdBut = (free: Box): Cover => ({
  cover: (box) =>
    Number(
      !(
        box.x >= free.x &&
        box.y >= free.y &&
        box.x + box.width <= free.x + free.width &&
        box.y + box.height <= free.y + free.height
      ),
    ),
});
const place = (longitude: number, latitude = 0): Candidate => ({
  ...candidates[0]!,
  position: fromDegrees(longitude, latitude),
  clear: 0,
  kind: "place",
});

test("a name of a cluster stands where there are no points, with a line to its place", () => {
  const sea = { x: 470, y: 300, width: 330, height: 200 };
  const [label] = new Placer(() => 60).place(frame(0), [place(0)], [], 1e6, 0, false, true, crowdBut(sea));
  expect(label!.x).toBeGreaterThanOrEqual(sea.x);
  const [x, y, toX, toY] = label!.lead!;
  expect(Math.hypot(x - 400, y - 400)).toBeLessThan(1);
  expect(toX).toBeCloseTo(label!.x);
  expect(toY).toBeGreaterThanOrEqual(label!.y);
  // Where nothing is gained, it stays at its place.
  const everywhere: Cover = { cover: () => 1 };
  expect(new Placer(() => 60).place(frame(0), [place(0)], [], 1e6, 0, false, true, everywhere)[0]!.lead).toBeNull();
});

test("a name that may not stand apart from its place stays there, although it covers points", () => {
  const sea = { x: 470, y: 300, width: 330, height: 200 };
  const shown = (led: boolean) =>
    new Placer(() => 60).place(frame(0), [{ ...place(0), led }], [], 1e6, 0, false, true, crowdBut(sea));
  expect(shown(true)[0]!.lead).not.toBeNull();
  expect(shown(false)[0]!.lead).toBeNull();
});

test("lines to names cross neither other names nor other lines", () => {
  const many = candidates.slice(0, 60).map((c, k) => ({ ...c, kind: "place" as const, clear: 0, weight: 1 - k / 60 }));
  const sparse: Cover = { cover: (box) => Number((Math.floor(box.x / 90) + Math.floor(box.y / 60)) % 3 !== 0) };
  const labels = new Placer((text) => 7 * text.length).place(frame(0), many, [], 1e6, 0, false, true, sparse);
  expect(labels.filter((l) => l.lead).length).toBeGreaterThan(3);
  for (const { lead, key } of labels) {
    if (!lead) continue;
    for (const other of labels) {
      if (other.key === key) continue;
      for (let k = 0; k <= 40; k++) {
        const [x, y] = [lead[0] + ((lead[2] - lead[0]) * k) / 40, lead[1] + ((lead[3] - lead[1]) * k) / 40];
        const inside = x > other.x && y > other.y && x < other.x + other.width && y < other.y + other.height;
        expect(inside, `${key} and ${other.key}`).toBe(false);
      }
    }
  }
});

test("names of clusters at the edge of a whole map stay on it", () => {
  const map = new Frame(800, 800, camera(0), { x: 0, y: 0, width: 800, height: 800 }, projections.equalearth);
  for (const longitude of [-176, -120, 0, 120, 176])
    for (const latitude of [-80, -30, 30, 80]) {
      const labels = new Placer(() => 120).place(map, [place(longitude, latitude)], [], 1e6, 0, false, true);
      for (const { x, y, width, height } of labels)
        for (const [cx, cy] of [
          [x, y],
          [x + width, y],
          [x, y + height],
          [x + width, y + height],
        ] as const)
          expect(map.unproject(cx, cy), `${longitude}, ${latitude}`).not.toBeNull();
      expect(labels.length).toBe(1);
    }
});

test("the name of a class that had to leave its place at the limb has a line to it", () => {
  const named = (position: readonly [number, number, number], crowd: Cover) => {
    const one: Candidate = { ...place(0), position, kind: "class" };
    return new Placer(() => 220).place(frame(0), [one], [], 1e6, 0, false, true, crowd)[0]!;
  };
  let led = 0;
  for (let angle = 0; angle < 2 * Math.PI; angle += 0.1) {
    const [x, y] = [0.96 * Math.cos(angle), 0.96 * Math.sin(angle)];
    const label = named([x, y, Math.sqrt(1 - x * x - y * y)], { cover: () => 1 });
    const [px, py] = [400 + frame(0).radius * x, 400 - frame(0).radius * y];
    const beside = {
      x: Math.max(0, label.x - px, px - label.x - label.width),
      y: Math.max(0, label.y - py, py - label.y - label.height),
    };
    led += Number(label.lead !== null);
    if (!label.lead) expect(Math.hypot(beside.x, beside.y)).toBeLessThan(13);
    else expect(Math.hypot(label.lead[0] - px, label.lead[1] - py)).toBeLessThan(1);
  }
  expect(led).toBeGreaterThan(5);
  // Points of its own do not drive it away, even if there are none elsewhere.
  const sea = { x: 470, y: 300, width: 330, height: 200 };
  expect(named([0, 0, 1], crowdBut(sea)).lead).toBeNull();
});

test("long names of clusters have two lines", () => {
  expect(linesOf("libc6 · libstdc++6", "class")).toEqual(["libc6", "libstdc++6"]);
  expect(linesOf("Dendritic: S100A8 · CAPG", "place")).toEqual(["Dendritic", "S100A8 · CAPG"]);
  expect(linesOf("perl: perl", "class")).toEqual(["perl: perl"]);
  expect(linesOf("a name without parts", "class")).toEqual(["a name without parts"]);
  // Names of items are as they are.
  expect(linesOf("Mission: Impossible · Part One", "item")).toEqual(["Mission: Impossible · Part One"]);
});

const state: State = {
  theme: "dark",
  projection: "mollweide",
  color: "a_b & c",
  size: null,
  label: "näme",
  ramp: "cividis",
  labels: "items",
  ghost: true,
  arcs: true,
  story: [{ caption: "Look: here & there\nand now", view: "v=1_2~3&c=x" }],
  land: false,
  sprites: true,
  tool: "turn",
  lassoMode: "replace",
  isolated: new Set([3, -1]),
  chosen: new Map([["a_b & c", new Set([1, 19])]]),
  ranges: new Map([["x_y", [-1.5, 2e9] as const]]),
  selection: new Uint8Array(5000),
  focus: 17,
  hover: -1,
  time: 0,
  linked: false,
};
for (const item of [0, 1, 33, 1000, 4999]) state.selection![item] = 1;

/** 5,000 items with ids, classes and numbers. */
const model = {
  count: 5000,
  ids: Texts.of(Array.from({ length: 5000 }, (_, i) => `item ${i} & more`)),
  numbered: false,
  columns: [
    {
      type: "text",
      name: "a_b & c",
      texts: Texts.of(Array.from({ length: 20 }, (_, k) => `class ${k}, "x"`)),
      codes: Uint8Array.from({ length: 5000 }, (_, i) => i % 20),
    },
    { type: "text", name: "näme", texts: Texts.of([]), codes: null },
    numberColumn(
      "x_y",
      Float64Array.from({ length: 5000 }, (_, i) => i),
    ),
  ],
  views: [{ snapshots: [1, 2, 3] }],
  degree: null,
} as unknown as Model;

test("a permalink comes back as it was", () => {
  const cameras = [{ orientation: axisAngle([1, 2, 3], 1), zoom: 2.5, panX: 0.1, panY: -0.2 }];
  const back = decode(`#${encode(state, cameras, model)}`, model);
  for (const key of [
    "theme",
    "projection",
    "color",
    "label",
    "ramp",
    "labels",
    "ghost",
    "focus",
    "linked",
    "time",
  ] as const)
    expect(back.state[key]).toEqual(state[key]);
  expect([...back.state.isolated!].sort()).toEqual([-1, 3]);
  expect(back.state.chosen).toEqual(state.chosen);
  expect([...back.state.ranges!]).toEqual([["x_y", [-1.5, 2e9]]]);
  expect(back.state.selection).toEqual(state.selection);
  expect(back.cameras[0]!.zoom).toBe(2.5);
  for (const [i, x] of back.cameras[0]!.orientation.entries()) expect(x).toBeCloseTo(cameras[0]!.orientation[i]!, 4);
});

test("many selected items are stored by row, for exactly these ids", () => {
  const selection = Uint8Array.from({ length: 5000 }, (_, i) => Number(i % 10 === 3));
  const link = encode({ ...state, selection }, [], model);
  expect(decode(link, model).state.selection).toEqual(selection);
  const other = { ...model, ids: Texts.of(Array.from({ length: 5000 }, (_, i) => `item ${i + 1} & more`)) } as Model;
  expect(decode(link, other).state.selection).toBeUndefined();
  expect(decode(link, other).state.focus).toBe(16);
});

test.each([
  "",
  "#",
  "#v=NaN_1",
  "#v=0_0_0_0_1_0_0&f=-3&i=x&s=%%%&n=a_b&p=constructor",
  "#s=zzzzzzzzzzzzzzzzzzzz",
  '#b=["a","b"]&b=[1,2]&b=["a_b & c","none"]&b=null&b={',
  "#f=99999999",
  "#c=foo&l=bar&z=baz&n=1_2_nothing&i=class&k=123.AAA&a=17&a=x",
])("nonsense in a link is left out: %s", (link) => {
  const { state, cameras } = decode(link, { ...model, count: 10 });
  expect(cameras).toEqual([]);
  expect(state).toEqual({});
});

test("cells of a CSV are quoted, and none is a formula", () => {
  expect(["a", 'a,"b"', "=1+1", "-5", "@x", "a\nb"].map(cell)).toEqual([
    "a",
    '"a,""b"""',
    "'=1+1",
    "-5",
    "'@x",
    '"a\nb"',
  ]);
});

test("texts in an SVG are escaped", () => {
  expect(xml('<a href="x">&\0')).toBe("&lt;a href=&quot;x&quot;&gt;&amp;\ufffd");
});

test("the picture keeps clear of the panels", () => {
  const panels = [
    { x: 20, y: 16, width: 272, height: 90 },
    { x: 1048, y: 16, width: 216, height: 266 },
    { x: 272, y: 746, width: 736, height: 40 },
  ];
  const globe = freePart(projections.globe, 1280, 800, panels);
  expect(Math.min(globe.width, globe.height)).toBeGreaterThan(690);
  const map = freePart(projections.equalearth, 1280, 800, panels);
  expect(map.width).toBeGreaterThan(900);
  const { halfHeight } = projections.equalearth;
  expect(map.y + map.height / 2 + fittingScale(projections.equalearth, map) * halfHeight).toBeLessThanOrEqual(746);
});
