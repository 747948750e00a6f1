import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { BUNDLING, centres } from "../../src/geometry/bundles.ts";
import { browser, itemInFront, itemOf, noErrors, pixelOf, settled, state } from "./harness.ts";

const { open } = browser();

/** The names of clusters on the map. */
const places = (page: Page) =>
  page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels.filter((l) => l.kind === "place").map((l) => l.text));

/** Whether a layer of the first map has any ink. */
const hasInk = (page: Page, layer: string) =>
  page.evaluate((layer) => {
    const canvas = document.querySelector<HTMLCanvasElement>(`.layer.${layer}`)!;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const c = copy.getContext("2d")!;
    c.drawImage(canvas, 0, 0);
    return c.getImageData(0, 0, copy.width, copy.height).data.some((byte) => byte > 0);
  }, layer);

test("the table of contents is opened, read and used by keyboard, and the map flies to the place", async () => {
  const opened = await open("atlas");
  const { page } = opened;
  await page.keyboard.press("c");
  await page.waitForSelector("dialog.contents[open]");
  const entries = page.locator("dialog.contents .entries > li > button");
  expect(await entries.count()).toBe(5);
  // Past the button that closes the dialog, and the first place.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const name = await page.evaluate(() => document.activeElement!.querySelector(".name")!.textContent);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog.contents", { state: "hidden" });
  await settled(page);
  const seen = await page.evaluate((name) => {
    const { app } = globalThis.dosnes!;
    const pane = app.panes[0]!;
    const { levels } = app.model.clusters!;
    const level = levels.findIndex((l) => l.names.includes(name!));
    const { middle } = pane.extents[level]![levels[level]!.names.indexOf(name!)]!;
    const out = new Float64Array(3);
    pane.frame().project(...middle, out);
    return { away: Math.hypot(out[0]! - pane.crosshair.x, out[1]! - pane.crosshair.y), zoom: pane.camera.zoom };
  }, name);
  expect(seen.away).toBeLessThan(1);
  expect(seen.zoom).toBeGreaterThan(1);
  noErrors(opened);
});

test("the nearer the map, the smaller the places that have names", async () => {
  const { page } = await open("atlas");
  // Clusters that are only named after their class would have no second name beside it.
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    for (const [level, { names }] of app.model.clusters!.levels.entries())
      (names as string[]).forEach((name, i, all) => {
        all[i] = `${name}: place ${level}.${i}`;
      });
  });
  const seenAt = async (zoom: number) => {
    await page.evaluate((zoom) => globalThis.dosnes!.app.panes[0]!.fly({ zoom }), zoom);
    await settled(page);
    return places(page);
  };
  const [far, near] = [await seenAt(1.01), await seenAt(3)];
  expect(far.length).toBeGreaterThan(0);
  expect(near.length).toBeGreaterThan(0);
  const names = await page.evaluate(() => globalThis.dosnes!.app.model.clusters!.levels.map((l) => [...l.names]));
  const levelOf = (texts: string[]) => names.findIndex((level) => texts.every((t) => level.some((n) => n.endsWith(t))));
  expect(levelOf(near)).toBeGreaterThan(levelOf(far));
});

test("edges are drawn on request, above the points, and only those of the selection", async () => {
  const opened = await open("airports");
  const { page } = opened;
  expect(await page.isVisible(".layer.arcs")).toBe(false);
  await page.keyboard.press("e");
  await settled(page);
  expect(await hasInk(page, "arcs")).toBe(true);
  const count = () => page.evaluate(() => new URL(globalThis.dosnes!.link()).hash);
  expect(await count()).toContain("e=1");
  // An airport without routes to anywhere has no arcs.
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    app.store.set({ selection: new Uint8Array(app.model.count) });
  });
  await settled(page);
  expect(await hasInk(page, "arcs")).toBe(false);
  await page.keyboard.press("e");
  await settled(page);
  expect(await page.isVisible(".layer.arcs")).toBe(false);
  noErrors(opened);
});

test("edges between clusters are bundled where the mathematics says", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const { positions, clusters, pairs } = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const region = app.model.columns.find((c) => c.name === "region")!;
    if (region.type !== "text") throw new Error("regions are texts");
    const level = { names: Array.from({ length: region.texts.length }, (_, k) => region.texts.at(k)), ofFinest: [] };
    const levels = [{ ...level, ofFinest: level.names.map((_, k) => k) }];
    Object.assign(app.model, { clusters: Object.assign(Object.create(null), { finest: region.codes, levels }) });
    app.store.set({ arcs: true, projection: "equalearth", labels: "none" });
    const { starts, indices } = app.model.neighbors!;
    const pairs: [number, number][] = [];
    for (let i = 0; i < app.model.count; i++)
      for (let k = starts[i]!; k < starts[i + 1]!; k++) pairs.push([i, indices[k]!]);
    return { positions: [...app.panes[0]!.positions], clusters: [...region.codes!], pairs };
  });
  await settled(page);
  const where = Float32Array.from(positions);
  const middles = centres(where, clusters);
  const dot = (a: number, b: number) => [0, 1, 2].reduce((sum, k) => sum + where[3 * a + k]! * where[3 * b + k]!, 0);
  // Half-way of edges that are longer than 40 degrees, and from a cluster to another.
  const halfWay = (a: Float32Array, b: Float32Array) => {
    const v = [0, 1, 2].map((k) => a[k]! + b[k]!);
    return v.map((x) => x / Math.hypot(...v));
  };
  const halves = pairs
    .filter(([a, b]) => clusters[a] !== clusters[b] && dot(a, b) < 0.75)
    .flatMap(([a, b]) => {
      const own = halfWay(where.subarray(3 * a, 3 * a + 3), where.subarray(3 * b, 3 * b + 3));
      const common = halfWay(middles.subarray(3 * a, 3 * a + 3), middles.subarray(3 * b, 3 * b + 3));
      // Others are not bundled, or only in part.
      if (own.reduce((sum, x, k) => sum + x * common[k]!, 0) < 0.65) return [];
      const v = own.map((x, k) => (1 - BUNDLING) * x + BUNDLING * common[k]!);
      return [v.map((x) => x / Math.hypot(...v)) as [number, number, number]];
    });
  expect(halves.length).toBeGreaterThan(100);
  const inked = await page.evaluate((halves) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".layer.arcs")!;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const c = copy.getContext("2d")!;
    c.drawImage(canvas, 0, 0);
    const frame = globalThis.dosnes!.app.panes[0]!.frame();
    const ratio = canvas.width / frame.width;
    const out = new Float64Array(3);
    return halves.filter((v) => {
      frame.project(...v, out);
      const [x, y] = [Math.round(out[0]! * ratio), Math.round(out[1]! * ratio)];
      return c.getImageData(x - 1, y - 1, 3, 3).data.some((byte) => byte > 0);
    }).length;
  }, halves);
  // All but those that the cut of the map divides.
  expect(inked / halves.length).toBeGreaterThan(0.97);
  noErrors(opened);
});

test("centred on an item, the map shows true distances and names the nearest and the farthest", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const item = await itemInFront(page);
  await page.evaluate((item) => globalThis.dosnes!.app.store.set({ focus: item }), item);
  await page.keyboard.press("h");
  await settled(page);
  expect(await state(page, "projection")).toBe("equidistant");
  const text = await page.textContent("#details .centre p");
  const [, far, degrees] = /Farthest: (.*), (\d+)°/.exec(text!)!;
  const [a, b] = [await pixelOf(page, item), await pixelOf(page, await itemOf(page, far!))];
  const perDegree = await page.evaluate(() => (globalThis.dosnes!.app.panes[0]!.frame().scale * Math.PI) / 180);
  expect(Math.abs(Math.hypot(a.x - b.x, a.y - b.y) / perDegree - Number(degrees))).toBeLessThan(0.6);
  noErrors(opened);
});

test("a selection says what distinguishes it, and its names can be taken away", async () => {
  const opened = await open("airports");
  const { page } = opened;
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const region = app.model.columns.find((c) => c.name === "region")!;
    if (region.type !== "text") throw new Error("regions are texts");
    const selection = Uint8Array.from({ length: app.model.count }, (_, i) =>
      region.texts.at(region.codes![i]!) === "Alaska" ? 1 : 0,
    );
    app.store.set({ selection });
  });
  await page.keyboard.press("i");
  const rows = page.locator("dialog.answers tbody tr");
  expect(await rows.first().textContent()).toMatch(/Alaska|AK/);
  const names = (await page.inputValue("dialog.answers textarea")).split("\n");
  expect(names).toContain("ANC");
  expect(names.length).toBe(await page.evaluate(() => globalThis.dosnes!.app.mask!.reduce((a, b) => a + b, 0)));
  noErrors(opened);
});

test("histograms of a selection filter it by dragging and by keys, and a click shows all values again", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const shown = () =>
    page.evaluate(() => {
      const { app } = globalThis.dosnes!;
      return {
        count: app.mask ? app.mask.reduce((a, b) => a + b, 0) : app.model.count,
        ranges: [...app.store.state.ranges],
      };
    });
  const total = (await shown()).count;
  // Without a selection, too.
  await page.keyboard.press("i");
  const box = page.locator("dialog.answers .filters > div", { hasText: "Total weight" });
  await box.waitFor();
  const bars = box.locator("canvas");
  const { x, y, width, height } = (await bars.boundingBox())!;
  await page.mouse.move(x + 0.5 * width, y + height / 3);
  await page.mouse.down();
  await page.mouse.move(x + 0.7 * width, y + height / 3, { steps: 4 });
  await page.mouse.up();
  const dragged = await shown();
  expect(dragged.ranges.map(([name]) => name)).toEqual(["degree"]);
  const [, [low, high]] = dragged.ranges[0]!;
  const expected = await page.evaluate(
    ([a, b]) => globalThis.dosnes!.app.model.degree!.values.filter((v: number) => v >= a! && v <= b!).length,
    [low, high],
  );
  expect(dragged.count).toBe(expected);
  expect(dragged.count).toBeGreaterThan(0);
  expect(dragged.count).toBeLessThan(total);
  // The list follows.
  await expect
    .poll(async () => (await page.inputValue("dialog.answers textarea")).split("\n").length)
    .toBe(dragged.count);
  // By keys: the upper end goes down to the lower one, and everything between disappears.
  await box.getByLabel("largest value shown").focus();
  await page.keyboard.press("Home");
  expect((await shown()).count).toBeLessThan(dragged.count);
  await page.keyboard.press("End");
  expect((await shown()).ranges[0]![1][1]).toBeGreaterThan(high);
  await bars.click({ position: { x: width / 2, y: height / 3 } });
  expect(await shown()).toEqual({ count: total, ranges: [] });
  noErrors(opened);
});

test("charts of all items open from the toolbar, and bars of classes filter each other by mouse and by keys", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const shown = () => page.evaluate(() => globalThis.dosnes!.app.mask?.reduce((a, b) => a + b, 0) ?? -1);
  /** How many airports of these regions are in these states. */
  const counted = (regions: string[], states: string[]) =>
    page.evaluate(
      ([regions, states]) => {
        const { model } = globalThis.dosnes!.app;
        const of = (name: string, item: number) => {
          const column = model.columns.find((c) => c.name === name)!;
          return column.type === "text" ? column.texts.at(column.codes ? column.codes[item]! : item) : "";
        };
        return Array.from({ length: model.count }, (_, i) => i).filter(
          (i) => regions!.includes(of("region", i)) && (!states!.length || states!.includes(of("state", i))),
        ).length;
      },
      [regions, states],
    );
  await page.click("[aria-label^='Charts']");
  expect(await page.textContent("#answers-title")).toBe("All airports");
  const bar = (chart: string, name: string) =>
    page.locator(`dialog.answers section[aria-label="${chart}"] button`, { hasText: name });
  await bar("region", "Alaska").click();
  await expect.poll(() => page.textContent("#answers-title")).toBe("The selection");
  expect(await shown()).toBe(await counted(["Alaska"], []));
  // The column of the colours has one filter, in the legend and in the chart.
  expect(await page.getAttribute(".legend .classes button:has-text('Alaska')", "aria-pressed")).toBe("true");
  await bar("region", "South").click({ modifiers: ["Shift"] });
  expect(await shown()).toBe(await counted(["Alaska", "South"], []));
  await bar("state", "TX").focus();
  await page.keyboard.press("Enter");
  expect(await shown()).toBe(await counted(["Alaska", "South"], ["TX"]));
  expect(await shown()).toBeGreaterThan(5);
  // The same by a link, and everything again by Escape.
  const link = await page.evaluate(() => globalThis.dosnes!.link());
  const other = (await open("airports", { hash: `#${link.split("#")[1]}` })).page;
  expect(await other.evaluate(() => globalThis.dosnes!.app.mask!.reduce((a, b) => a + b, 0))).toBe(await shown());
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await shown()).toBe(-1);
  noErrors(opened);
});

test("a story is made in the share panel, travels in the link, and is played by its bar and by keys", async () => {
  const { page } = await open("airports");
  expect(await page.isVisible(".story")).toBe(false);
  const add = async (caption: string) => {
    await page.click("[aria-label='Share and export']");
    await page.fill("[aria-label='Caption of this view']", caption);
    await page.click("text=Add this view");
    await page.keyboard.press("Escape");
  };
  await add("All of it");
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ projection: "equalearth" }));
  await settled(page);
  await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.fly({ zoom: 4 }));
  await settled(page);
  await add("Nearer & flat");
  const link = await page.evaluate(() => globalThis.dosnes!.link());
  const opened = await open("airports", { hash: new URL(link).hash });
  const told = opened.page;
  expect(await told.textContent(".story .words")).toBe("2 stops");
  await told.keyboard.press("]");
  await settled(told);
  expect(await told.textContent(".caption-text")).toBe("All of it");
  expect(await state(told, "projection")).toBe("globe");
  await told.click("[aria-label='Next stop']");
  await settled(told);
  expect(await told.textContent(".caption-text")).toBe("Nearer & flat");
  expect(await state(told, "projection")).toBe("equalearth");
  expect(await told.evaluate(() => globalThis.dosnes!.app.panes[0]!.camera.zoom)).toBeCloseTo(4, 4);
  await told.click("[aria-label='End the story']");
  expect(await told.isVisible(".story")).toBe(false);
  noErrors(opened);
});

test("the flat map of a comparison wraps around the globe, and the globe is as before", async () => {
  const opened = await open("pair", { reducedMotion: "no-preference" });
  const { page } = opened;
  await page.keyboard.press("w");
  const moved = () => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return pane.positions !== pane.view.positions;
  };
  await page.waitForFunction(moved);
  // Half-way, no item has left the neighbourhood of the sphere.
  await page.waitForFunction(() => {
    const { positions } = globalThis.dosnes!.app.panes[0]!;
    return positions.every((x) => Math.abs(x) < 1.5);
  });
  await page.waitForFunction(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return pane.positions === pane.view.positions;
  });
  await settled(page);
  noErrors(opened);
});

test("a flat map without a place of its own wraps around the globe, too, and without motion by two presses", async () => {
  const moving = await open("snapshots", { reducedMotion: "no-preference" });
  expect(await moving.page.evaluate(() => globalThis.dosnes!.app.panes.length)).toBe(1);
  const atHome = () => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return pane.positions === pane.view.positions;
  };
  await moving.page.click("text=From flat to globe");
  await moving.page.waitForFunction(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return pane.positions !== pane.view.positions;
  });
  await moving.page.waitForFunction(atHome);
  noErrors(moving);
  const still = await open("snapshots");
  await still.page.keyboard.press("w");
  // All items lie on one plane.
  const heights = await still.page.evaluate(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    const { positions } = pane;
    // The third row of the rotation, whose columns follow each other.
    const [x, y, z] = [2, 5, 8].map((k) => pane.frame().rotation[k]!);
    return Array.from({ length: positions.length / 3 }, (_, i) =>
      Math.round(1e4 * (x! * positions[3 * i]! + y! * positions[3 * i + 1]! + z! * positions[3 * i + 2]!)),
    );
  });
  expect(new Set(heights).size).toBe(1);
  await still.page.keyboard.press("w");
  expect(await still.page.evaluate(atHome)).toBe(true);
  noErrors(still);
});
