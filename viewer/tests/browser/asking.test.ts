import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { between, browser, itemInFront, itemOf, noErrors, orientation, pixelOf, settled, state } from "./harness.ts";

const { open } = browser();

const standing = (page: Page) =>
  page.evaluate(() => (globalThis.dosnes!.app.mask ? globalThis.dosnes!.app.mask.reduce((a, b) => a + b, 0) : -1));

test("search as you type finds in all text columns, and goes there", async () => {
  const opened = await open("airports");
  const { page } = opened;
  await page.keyboard.press("/");
  await page.keyboard.type("denver");
  await page.waitForSelector("#found li");
  expect(await page.textContent("#found li:first-child")).toContain("DEN");
  await page.keyboard.press("Enter");
  await settled(page);
  const den = await itemOf(page, "DEN");
  expect(await state(page, "focus")).toBe(den);
  const { x, y, near } = await pixelOf(page, den);
  const middle = await page.evaluate(() => {
    const { crosshair, element } = globalThis.dosnes!.app.panes[0]!;
    const box = element.getBoundingClientRect();
    return { x: box.x + crosshair.x, y: box.y + crosshair.y };
  });
  expect(near).toBe(true);
  expect(Math.hypot(x - middle.x, y - middle.y)).toBeLessThan(2);
  await page.fill("#search", "TX");
  await page.click(".found .all");
  expect(await standing(page)).toBeGreaterThan(20);
  noErrors(opened);
});

test("the search finds classes and places between names and other texts, and goes there", async () => {
  const opened = await open("airports");
  const { page } = opened;
  await page.fill("#search", "alask");
  await page.click("#found .group:has-text('Alaska')");
  expect(await page.evaluate(() => [...globalThis.dosnes!.app.store.state.isolated].length)).toBe(1);
  expect(await standing(page)).toBe(19);
  const atlas = await open("atlas");
  const name = await atlas.page.evaluate(() => globalThis.dosnes!.app.model.clusters!.levels[0]!.names[1]!);
  const before = await orientation(atlas.page);
  await atlas.page.focus("#search");
  await atlas.page.keyboard.type(name);
  await atlas.page.locator("#found .group").first().waitFor();
  await atlas.page.locator("#found .group", { hasText: "place" }).first().click();
  await settled(atlas.page);
  expect(between(before, await orientation(atlas.page))).toBeGreaterThan(5);
  noErrors(opened);
  noErrors(atlas);
});

test("a click shows neighbours in the data and on the sphere side by side, and where they disagree", async () => {
  const { page } = await open("airports");
  const item = await itemInFront(page);
  const { x, y } = await pixelOf(page, item);
  await page.mouse.click(x, y);
  await page.waitForSelector("#details:not([hidden])");
  const lists = await page.evaluate(() => {
    const texts = (list: string) =>
      [...document.querySelectorAll(`#details .${list} li`)].map((li) => ({
        name: li.querySelector(".name")!.textContent!,
        shared: li.classList.contains("shared"),
      }));
    const { app } = globalThis.dosnes!;
    const { neighbors } = app.model;
    const focus = app.store.state.focus;
    const truth = Array.from(
      neighbors!.indices.slice(neighbors!.starts[focus]!, neighbors!.starts[focus + 1]!) as Uint16Array,
      (j) => app.model.ids.at(j),
    );
    return {
      inData: texts("in-data"),
      onMap: texts("on-map"),
      truth,
      edges: app.panes[0]!.neighbors(focus).edges.length,
    };
  });
  expect(lists.inData.map((n) => n.name)).toEqual(lists.truth);
  expect(lists.onMap.length).toBe(lists.inData.length);
  expect(lists.edges).toBe(lists.truth.length);
  const near = new Set(lists.onMap.map((n) => n.name));
  for (const n of lists.inData) expect(n.shared).toBe(near.has(n.name));
  // From one to the next, by keyboard.
  await page.focus("#details .in-data li:nth-child(2) button");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => globalThis.dosnes!.app.name(globalThis.dosnes!.app.store.state.focus))).toBe(
    lists.truth[1],
  );
  await page.click("#details [aria-label=Close]");
  expect(await state(page, "focus")).toBe(-1);
});

test("a legend entry isolates its class, greys the rest, and shows counts", async () => {
  const { page } = await open("airports");
  const entry = page.locator(".classes button").nth(1);
  const shown = Number((await entry.locator(".count").textContent())!.replace(",", ""));
  await entry.click();
  expect(await standing(page)).toBe(shown);
  expect(await entry.getAttribute("aria-pressed")).toBe("true");
  await page
    .locator(".classes button")
    .nth(2)
    .click({ modifiers: ["Shift"] });
  expect(await standing(page)).toBeGreaterThan(shown);
  await page.click(".selection >> text=Clear");
  expect(await standing(page)).toBe(-1);
});

test("numbers have a colour bar and a histogram that filters", async () => {
  const { page } = await open("airports");
  for (const [color, bound] of [
    ["latitude", 200],
    ["degree", 305],
    ["trust", 305],
  ] as const) {
    await page.selectOption(".legend select", color);
    await page.waitForSelector(".histogram");
    await page.evaluate(() => {
      const low = document.querySelector<HTMLInputElement>(".bars input")!;
      low.value = "600";
      low.dispatchEvent(new Event("input"));
    });
    const count = await standing(page);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(bound);
  }
});

test("lasso selects on globe and map, adds and subtracts, by mouse and by touch", async () => {
  const { page } = await open("airports", { hasTouch: true });
  for (const projection of ["globe", "mollweide"]) {
    await page.evaluate(
      (p) => globalThis.dosnes!.app.store.set({ projection: p as "globe", selection: null, tool: "lasso" }),
      projection,
    );
    await settled(page);
    const circle = async (cx: number, cy: number, r: number, modifier?: "Shift" | "Alt") => {
      if (modifier) await page.keyboard.down(modifier);
      await page.mouse.move(cx + r, cy);
      await page.mouse.down();
      // As many corners as make the polygon the circle but for a seventieth of its area.
      for (let k = 1; k <= 22; k++)
        await page.mouse.move(cx + r * Math.cos((k * Math.PI) / 11), cy + r * Math.sin((k * Math.PI) / 11));
      await page.mouse.up();
      if (modifier) await page.keyboard.up(modifier);
      return standing(page);
    };
    const before = await orientation(page);
    const truth = await page.evaluate(() => {
      const pane = globalThis.dosnes!.app.panes[0]!;
      const out = new Float64Array(3);
      let n = 0;
      for (let i = 0; i < globalThis.dosnes!.app.model.count; i++) {
        pane.frame().project(...pane.place(i), out);
        if (out[2]! > 0 && Math.hypot(out[0]! - 500, out[1]! - 340) < 150) n++;
      }
      return n;
    });
    const first = await circle(500, 340, 150);
    expect(Math.abs(first - truth)).toBeLessThanOrEqual(Math.max(3, truth * 0.12));
    const more = await circle(560, 360, 190, "Shift");
    expect(more).toBeGreaterThan(first);
    const less = await circle(500, 340, 120, "Alt");
    expect(less).toBeLessThan(more);
    expect(await orientation(page)).toEqual(before);
  }
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ selection: null, projection: "globe", tool: "lasso" }));
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", [650, 340]);
  for (let k = 1; k <= 11; k++)
    await touch("touchMove", [500 + 150 * Math.cos((k * Math.PI) / 5.5), 340 + 150 * Math.sin((k * Math.PI) / 5.5)]);
  await touch("touchEnd");
  expect(await standing(page)).toBeGreaterThan(3);
});

test("a circle in the middle selects by keyboard", async () => {
  const { page } = await open("clusters");
  await page.focus(".layer.labels");
  await page.keyboard.press("s");
  const some = await standing(page);
  expect(some).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  expect(await standing(page)).toBe(-1);
});

test("views side by side are turned onto each other and linked", async () => {
  const opened = await open("pair");
  const { page } = opened;
  const far = await page.evaluate(() => {
    const [a, b] = globalThis.dosnes!.app.panes;
    let worst = 0;
    for (let i = 0; i < a!.positions.length; i++)
      worst = Math.max(worst, Math.abs(a!.positions[i]! - b!.positions[i]!));
    return worst;
  });
  expect(far).toBeLessThan(1e-4);
  const box = (await page.locator(".pane").first().boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 20, { steps: 3 });
  await page.mouse.up();
  expect(await orientation(page, 1)).toEqual(await orientation(page, 0));
  const item = await itemInFront(page);
  const place = await pixelOf(page, item);
  await page.mouse.move(place.x, place.y);
  await page.waitForFunction(() => globalThis.dosnes!.app.store.state.hover >= 0);
  await settled(page);
  const labelled = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    return app.panes.map((p) => p.labels.some((l) => l.key === app.store.state.hover));
  });
  expect(labelled).toEqual([true, true, true]);
  await page.mouse.click(place.x, place.y);
  expect(await page.locator("#details .neighbors").count()).toBe(3);
  await page.click("#details [aria-label=Close]");
  await page.click("[aria-label='Rotate all globes together']");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 70, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  expect(await orientation(page, 1)).not.toEqual(await orientation(page, 0));
  noErrors(opened);
});

test("the page plays from an earlier map to this one", async () => {
  const opened = await open("earlier", { holdClock: true });
  const { page } = opened;
  const first = () => page.evaluate(() => [...globalThis.dosnes!.app.panes[0]!.positions.slice(0, 3)]);
  const now = await first();
  expect(await page.textContent(".scrubber output")).toBe("DOSNES");
  expect(await page.getAttribute(".scrubber", "aria-label")).toBe("From yesterday to DOSNES");
  await page.focus(".scrubber input");
  await page.keyboard.press("Home");
  expect(await page.textContent(".scrubber output")).toBe("yesterday");
  expect(await first()).not.toEqual(now);
  await page.click(".scrubber [aria-label=Play]");
  await page.clock.fastForward(2000);
  expect(await page.textContent(".scrubber output")).toBe("yesterday → DOSNES");
  expect(await state(page, "time")).toBeCloseTo(0.5, 5);
  expect(Math.hypot(...(await first()))).toBeCloseTo(1, 5);
  await page.clock.fastForward(2000);
  expect(await page.textContent(".scrubber output")).toBe("DOSNES");
  expect(await first()).toEqual(now);
  noErrors(opened);
});

test("snapshots play back with a scrubber", async () => {
  const opened = await open("snapshots", { holdClock: true });
  const { page } = opened;
  const first = () => page.evaluate(() => [...globalThis.dosnes!.app.panes[0]!.positions.slice(0, 3)]);
  const result = await first();
  const scrub = (value: string) =>
    page.evaluate((value) => {
      const range = document.querySelector<HTMLInputElement>(".scrubber input")!;
      range.value = value;
      range.dispatchEvent(new Event("input"));
    }, value);
  await scrub("2.5");
  const middle = await first();
  expect(middle).not.toEqual(result);
  expect(Math.hypot(...middle)).toBeCloseTo(1, 5);
  expect(await page.textContent(".scrubber output")).toMatch(/step \d+/);
  await scrub("17");
  expect(await first()).toEqual(result);
  await page.click(".scrubber [aria-label=Play]");
  // Half a second for each of the 17.
  await page.clock.fastForward(2000);
  const paused = await state(page, "time");
  expect(paused).toBeCloseTo(4, 5);
  await page.click(".scrubber [aria-label=Pause]");
  await page.clock.fastForward(2000);
  expect(await state(page, "time")).toBe(paused);
  await page.click(".scrubber [aria-label=Play]");
  await page.clock.fastForward(10_000);
  expect(await state(page, "time")).toBe(17);
  expect(await first()).toEqual(result);
  noErrors(opened);
});
