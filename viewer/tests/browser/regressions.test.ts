/** Bugs that people have met, each with the steps that showed it. */
import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { between, browser, itemInFront, itemOf, noErrors, orientation, pixelOf, settled, state } from "./harness.ts";

const { open } = browser();

const standing = (page: Page) =>
  page.evaluate(() => (globalThis.dosnes!.app.mask ? globalThis.dosnes!.app.mask.reduce((a, b) => a + b, 0) : -1));

async function saved(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return (await buffer(await file.createReadStream())).toString();
}

test("labels that fade in become fully visible, with motion on", async () => {
  const { page } = await open("airports", { reducedMotion: "no-preference" });
  await page.locator(".classes button").nth(1).click();
  await page
    .locator(".classes button")
    .nth(2)
    .click({ modifiers: ["Shift"] });
  await page.click(".selection >> text=Clear");
  await settled(page);
  const opacities = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels.map((l) => l.opacity));
  expect(opacities.length).toBeGreaterThan(20);
  expect(Math.min(...opacities)).toBe(1);
});

test("a card with an image shows its values in lines, not in letters", async () => {
  const { page } = await open("sprites");
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  const heights = await page.locator("#card dd").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(1);
  for (const height of heights) expect(height).toBeLessThan(30);
});

test("a mouse click draws no keyboard frame and no crosshair; a key does", async () => {
  const { page } = await open("airports");
  // The frame used to appear after the keyboard had been used anywhere.
  await page.keyboard.press("Tab");
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.mouse.click(x, y);
  const framed = () =>
    page.evaluate(() => getComputedStyle(globalThis.dosnes!.app.panes[0]!.top).outlineStyle !== "none");
  expect(await framed()).toBe(false);
  await page.keyboard.press("ArrowLeft");
  expect(await framed()).toBe(true);
});

test("a fling takes the card of the item with it", async () => {
  const { page } = await open("airports", { reducedMotion: "no-preference" });
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  await page.mouse.down();
  for (let k = 1; k <= 6; k++) await page.mouse.move(x + 20 * k, y + 4 * k);
  await page.mouse.up();
  await settled(page);
  // Whatever the card shows now is what is under the cursor.
  const [hover, under] = await page.evaluate(
    ([x, y]) => {
      const { app } = globalThis.dosnes!;
      const box = app.panes[0]!.element.getBoundingClientRect();
      return [app.store.state.hover, app.panes[0]!.pick(x! - box.x, y! - box.y)];
    },
    [x + 120, y + 24],
  );
  expect(hover === -1 || hover === under).toBe(true);
});

test("shortcuts work wherever the focus is, and a question mark opens the help", async () => {
  const opened = await open("airports");
  const { page } = opened;
  await page.locator(".classes button").nth(1).click();
  expect(await standing(page)).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  expect(await standing(page)).toBe(-1);
  const before = await orientation(page);
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  expect(await orientation(page)).not.toEqual(before);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help[open]");
  await page.keyboard.press("Escape");
  // Letters in the search are letters.
  await page.focus("#search");
  await page.keyboard.type("gl?");
  expect(await state(page, "ghost")).toBe(false);
  expect(await page.inputValue("#search")).toBe("gl?");
  noErrors(opened);
});

test("exports have images, shading, a title and the heading of the legend", async () => {
  const { page } = await open("sprites");
  await page.evaluate(() => document.querySelector<HTMLElement>("[aria-label='Share and export']")!.click());
  const svg = await saved(page, "#save-svg");
  expect(svg.match(/<image/g)?.length ?? 0).toBeGreaterThan(30);
  expect(svg).toContain("<radialGradient");
  expect(svg).toMatch(/<text[^>]*>Shapes<\/text>/);
  expect(svg).toMatch(/<text[^>]*>shape<\/text>/);
});

test("a link names items and classes, keeps time and images, and survives unknown columns", async () => {
  const { page } = await open("snapshots");
  const denver = await itemOf(page, "DEN");
  await page.evaluate((denver) => {
    const { app } = globalThis.dosnes!;
    const selection = new Uint8Array(app.model.count);
    selection[denver] = selection[0] = 1;
    app.store.set({ focus: denver, selection, time: 3, sprites: false });
  }, denver);
  const link = await page.evaluate(() => globalThis.dosnes!.link());
  expect(link).toContain("f=DEN");
  const other = (await open("snapshots", { hash: `#${link.split("#")[1]}` })).page;
  expect(await state(other, "time")).toBe(3);
  expect(await other.inputValue(".scrubber input")).toBe("3");
  expect(await state(other, "sprites")).toBe(false);
  expect(await state(other, "focus")).toBe(denver);
  const [moved, result] = await other.evaluate(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return [[...pane.positions.slice(0, 3)], [...pane.view.positions.slice(0, 3)]];
  });
  expect(moved).not.toEqual(result);
  const odd = (await open("airports", { hash: "#c=foo&z=bar&l=baz&f=nobody&i=nothing&s=nobody" })).page;
  expect(await state(odd, "color")).toBe("region");
  expect(await odd.inputValue(".legend select")).toBe("region");
  expect(await state(odd, "focus")).toBe(-1);
  expect(await standing(odd)).toBe(-1);
});

test("a selection on the far side says so, and can be turned to", async () => {
  const { page } = await open("airports");
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const pane = app.panes[0]!;
    const out = new Float64Array(3);
    const selection = new Uint8Array(app.model.count);
    for (let i = 0; i < app.model.count; i++) {
      pane.frame().project(...pane.place(i), out);
      if (out[2]! < -0.7) selection[i] = 1;
    }
    app.store.set({ selection });
  });
  await settled(page);
  await page.click(".selection .far");
  await settled(page);
  const visible = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const pane = app.panes[0]!;
    const out = new Float64Array(3);
    let near = 0;
    app.mask!.forEach((m, i) => {
      pane.frame().project(...pane.place(i), out);
      if (m && out[2]! > 0) near++;
    });
    return near / app.mask!.reduce((a, b) => a + b, 0);
  });
  expect(visible).toBeGreaterThan(0.9);
  expect(await page.isHidden(".selection .far")).toBe(true);
});

test("in a comparison a click moves no map under the cursor", async () => {
  const { page } = await open("pair");
  const boxes = () =>
    page.locator(".pane").evaluateAll((all) => all.map((e) => JSON.stringify(e.getBoundingClientRect())));
  const before = await boxes();
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.mouse.click(x, y);
  await page.waitForSelector("#details:not([hidden])");
  await settled(page);
  expect(await boxes()).toEqual(before);
});

test("a plain click on one of two isolated classes leaves that one", async () => {
  const { page } = await open("airports");
  const buttons = page.locator(".classes button");
  await buttons.nth(1).click();
  const one = await standing(page);
  await buttons.nth(2).click({ modifiers: ["Shift"] });
  expect(await standing(page)).toBeGreaterThan(one);
  await buttons.nth(1).click();
  expect(await standing(page)).toBe(one);
  await buttons.nth(1).click();
  expect(await standing(page)).toBe(-1);
});

test("classes beyond the colours can be isolated too", async () => {
  const { page } = await open("airports");
  await page.selectOption(".legend select", "state");
  await page.click(".legend .further");
  const last = page.locator(".classes.rest button").last();
  const count = Number(await last.locator(".count").textContent());
  await last.click();
  expect(await standing(page)).toBe(count);
  const states = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const column = app.model.columns.find((c) => c.name === "state")!;
    if (column.type !== "text") throw new Error("state is a text");
    return new Set([...app.mask!].flatMap((m, i) => (m ? [column.texts.at(column.codes![i]!)] : []))).size;
  });
  expect(states).toBe(1);
});

test("on a phone the legend closes, and details leave the globe visible", async () => {
  const { page } = await open("airports", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.tap(".legend-button");
  await page.waitForSelector(".classes", { state: "visible" });
  await page.tap(".legend [aria-label=Close]");
  await page.waitForSelector(".classes", { state: "hidden" });
  await page.tap(".legend-button");
  await page.waitForSelector(".classes", { state: "visible" });
  await page.touchscreen.tap(180, 150);
  await page.waitForSelector(".classes", { state: "hidden" });
  await page.evaluate((i) => globalThis.dosnes!.app.store.set({ focus: i }), await itemInFront(page));
  await settled(page);
  const [details, globe] = await page.evaluate(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    const frame = pane.frame();
    return [document.querySelector("#details")!.getBoundingClientRect().top, frame.centerY + frame.radius] as const;
  });
  expect(details).toBeGreaterThanOrEqual(globe - 2);
  await page.tap("#details .more");
  await page.waitForSelector("#details .neighbors", { state: "visible" });
});

test("CSV of a selection has the computed columns", async () => {
  const { page } = await open("airports");
  await page.locator(".classes button").nth(1).click();
  const lines = (await saved(page, ".selection >> text=Save CSV")).split("\r\n");
  expect(lines[0]).toBe("id,name,state,region,latitude,longitude,degree,trust,x,y,z");
  const cells = lines[1]!.split(",");
  expect(Number(cells.at(-5))).toBeGreaterThan(0);
  expect(Number(cells.at(-4))).toBeGreaterThanOrEqual(0);
  expect(Number(cells.at(-4))).toBeLessThanOrEqual(1);
});

test("colouring by a number does not flood the map with names", async () => {
  const { page } = await open("barcodes");
  await page.selectOption(".legend select", "depth");
  await settled(page);
  const texts = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels.map((l) => l.text));
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.filter((text) => /^[ACGT]+-1$/.test(text))).toEqual([]);
});

test("land is sharp again after a movement", async () => {
  const { page } = await open("airports");
  /** Opacities of all pixels of the canvas with points and land. */
  const picture = () =>
    page.evaluate(() => {
      const pane = globalThis.dosnes!.app.panes[0]!;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [pane.layers[1]!.width, pane.layers[1]!.height];
      const c = copy.getContext("2d", { willReadFrequently: true })!;
      c.drawImage(pane.layers[1]!, 0, 0);
      return [...c.getImageData(0, 0, copy.width, copy.height).data.filter((_, i) => i % 4 === 3)];
    });
  const before = await picture();
  await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.moveNow());
  await settled(page);
  const after = await picture();
  let apart = 0;
  for (const [i, a] of before.entries()) apart += Number(Math.abs(a - after[i]!) > 8);
  expect(before.filter((a) => a > 100).length).toBeGreaterThan(10_000);
  expect(apart / before.length).toBeLessThan(1e-4);
});

test("the details say all about a clicked item: no card repeats it", async () => {
  const { page } = await open("airports");
  const item = await itemInFront(page);
  const { x, y } = await pixelOf(page, item);
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  await page.mouse.click(x, y);
  await page.waitForSelector("#details:not([hidden])");
  expect(await page.isHidden("#card")).toBe(true);
});

test("no card of the first item follows the cursor while a lasso is drawn", async () => {
  const { page } = await open("airports");
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.keyboard.press("l");
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  await page.mouse.down();
  for (let k = 1; k <= 12; k++) await page.mouse.move(x + 8 * k, y + 60 * Math.sin(k / 2));
  expect(await page.isHidden("#card")).toBe(true);
  await page.mouse.up();
});

test("what distinguishes a selection is shown with both of its numbers", async () => {
  const { page } = await open("airports");
  await page.locator(".classes button").nth(1).click();
  await page.keyboard.press("i");
  await page.waitForSelector("dialog.answers[open] .typical");
  const cut = await page.evaluate(() => {
    const box = document.querySelector("dialog.answers .scroll")!.getBoundingClientRect();
    const cells = [...document.querySelectorAll<HTMLElement>(".typical th, .typical td")];
    const wide = cells.filter((c) => c.scrollWidth > c.clientWidth + 1 || c.getBoundingClientRect().right > box.right);
    return { cells: cells.length, wide: wide.map((c) => c.textContent) };
  });
  expect(cut.cells).toBeGreaterThan(6);
  expect(cut.wide).toEqual([]);
});

test("near by, the words of the page stand on paper, and the map does not move for it", async () => {
  const { page } = await open("airports");
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.querySelector(".head")!, "::before").content !== "none");
  const free = () => page.evaluate(() => JSON.stringify(globalThis.dosnes!.app.panes[0]!.free));
  const before = await free();
  expect(await paper()).toBe(false);
  await page.keyboard.press("+");
  await settled(page);
  expect(await paper()).toBe(true);
  expect(await free()).toBe(before);
  await page.keyboard.press("0");
  await settled(page);
  expect(await paper()).toBe(false);
});

test("a fling goes on although the page was busy when the button was released", async () => {
  const { page } = await open("airports", { reducedMotion: "no-preference" });
  const [before, after] = await page.evaluate(async () => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    pane.top.setPointerCapture = () => {};
    const made = (type: string, x: number) =>
      new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 360, button: 0, bubbles: true });
    const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
    pane.top.dispatchEvent(made("pointerdown", 500));
    for (let x = 510; x <= 600; x += 15) {
      await wait(10);
      pane.top.dispatchEvent(made("pointermove", x));
    }
    // The button was released at once, but the page comes to it only after a slow frame.
    const released = made("pointerup", 600);
    const start = performance.now();
    while (performance.now() - start < 120);
    pane.top.dispatchEvent(released);
    const before = [...pane.camera.orientation];
    await wait(200);
    return [before, [...pane.camera.orientation]];
  });
  expect(between(before!, after!)).toBeGreaterThan(1);
});

test("the flat map takes over from the optimisation, which is no longer played then", async () => {
  const { page } = await open("snapshots", { reducedMotion: "no-preference" });
  await page.click(".scrubber button");
  await page.waitForFunction(() => globalThis.dosnes!.app.store.state.time < 3);
  await page.keyboard.press("w");
  const end = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.view.snapshots.length);
  await page.waitForFunction(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    return pane.positions !== pane.view.positions;
  });
  expect(await state(page, "time")).toBe(end);
  await page.waitForSelector(".scrubber [aria-label=Play]");
  // The other way round, too.
  await page.locator(".scrubber input").fill("1");
  const shown = () => page.evaluate(() => globalThis.dosnes!.app.panes[0]!.positions[0]);
  const first = await shown();
  await page.waitForTimeout(300);
  expect(await shown()).toBe(first);
});

test("what the weights in the data were is said beside the neighbours", async () => {
  const { page } = await open("airports");
  await page.evaluate((item) => globalThis.dosnes!.app.store.set({ focus: item }), await itemOf(page, "DEN"));
  const texts = await page.locator("#details .in-data .count").allTextContents();
  expect(texts.length).toBeGreaterThan(5);
  for (const text of texts) expect(text).toMatch(/^[\d,.]+$/);
  expect(new Set(texts).size).toBeGreaterThan(3);
  expect(await page.textContent("#details .explain")).toContain("weights as given");
});
