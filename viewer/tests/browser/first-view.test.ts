import { expect, test } from "vitest";
import { between, browser, noErrors, orientation, settled, state } from "./harness.ts";

const { open } = browser();

test("the page says what it shows and where the data are from", async () => {
  const opened = await open("airports");
  const { page } = opened;
  expect(await page.textContent(".subtitle")).toContain("flight counts alone");
  expect(await page.textContent(".source")).toContain("vega-datasets");
  // A page without them says how to read the map, and has no empty lines.
  const plain = (await open("sprites")).page;
  expect(await plain.textContent(".subtitle")).toMatch(/^Similar \w+ lie close together\.$/);
  expect(await plain.locator(".source").count()).toBe(0);
  noErrors(opened);
});

test("a small map shows the whole sphere, and a click on it turns the globe there", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const before = await orientation(page);
  const box = (await page.locator(".whole").boundingBox())!;
  await page.mouse.click(box.x + 0.2 * box.width, box.y + 0.5 * box.height);
  await page.waitForFunction(
    (q) => globalThis.dosnes!.app.panes[0]!.camera.orientation.some((x, i) => Math.abs(x - q[i]!) > 1e-6),
    before,
  );
  await settled(page);
  const left = await orientation(page);
  await page.mouse.click(box.x + 0.8 * box.width, box.y + 0.5 * box.height);
  await page.waitForFunction(
    (q) => globalThis.dosnes!.app.panes[0]!.camera.orientation.some((x, i) => Math.abs(x - q[i]!) > 1e-6),
    left,
  );
  await settled(page);
  expect(between(left, await orientation(page))).toBeGreaterThan(60);
  // A map of everything needs no second one.
  await page.click("[data-projection=equalearth]");
  expect(await page.isHidden(".whole")).toBe(true);
  noErrors(opened);
});

test("the whole map is cut where it is emptiest, and the globe comes back as it was", async () => {
  const { page } = await open("airports");
  const globe = await orientation(page);
  await page.click("[data-projection=equalearth]");
  await settled(page);
  /** How many items are within ten degrees of the cut. */
  const atCut = () =>
    page.evaluate(() => {
      const pane = globalThis.dosnes!.app.panes[0]!;
      const { rotation: r } = pane.frame();
      let count = 0;
      for (let i = 0; i < globalThis.dosnes!.app.model.count; i++) {
        const [x, y, z] = pane.place(i);
        const across = r[0]! * x + r[3]! * y + r[6]! * z;
        const depth = r[2]! * x + r[5]! * y + r[8]! * z;
        if (depth < 0 && Math.abs(across) < 0.17) count++;
      }
      return count;
    });
  const best = await atCut();
  await page.evaluate((q) => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    pane.camera.orientation = q as [number, number, number, number];
    pane.moveNow();
  }, globe);
  await settled(page);
  expect(best).toBeLessThan(0.05 * 305);
  await page.click("[data-projection=globe]");
  await settled(page);
  expect(between(globe, await orientation(page))).toBeLessThan(0.01);
});

test("two views lead, the others are in a menu that keys open and close", async () => {
  const { page } = await open("airports");
  expect(await page.locator(".segments > [data-projection]").allTextContents()).toEqual(["Globe", "Whole map"]);
  expect(await page.isHidden("[data-projection=mollweide]")).toBe(true);
  await page.focus(".segments .more");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-projection=mollweide]", { state: "visible" });
  await page.keyboard.press("Escape");
  expect(await page.isHidden("[data-projection=mollweide]")).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await state(page, "projection")).toBe("perspective");
  expect(await page.textContent(".segments .more")).toBe("Perspective");
});

test("names of regions stand on the map of few items, and no important point is below them", async () => {
  const { page } = await open("airports", { viewport: { width: 1400, height: 900 } });
  for (const projection of ["globe", "equalearth"] as const) {
    await page.evaluate((projection) => globalThis.dosnes!.app.store.set({ projection }), projection);
    await settled(page);
    const { regions, covered } = await page.evaluate(() => {
      const { app } = globalThis.dosnes!;
      const pane = app.panes[0]!;
      const regions = pane.labels.filter((label) => label.kind === "region");
      const out = new Float64Array(3);
      const covered = [...app.top.slice(0, 15)].filter((item) => {
        pane.frame().project(...pane.place(item), out);
        const [x, y, near] = [out[0]!, out[1]!, out[2]!];
        return near > 0.12 && regions.some((r) => x > r.x && x < r.x + r.width && y > r.y && y < r.y + r.height);
      });
      return { regions: regions.map((r) => r.text), covered: covered.map((item) => app.name(item)) };
    });
    expect(regions.length).toBeGreaterThan(projection === "globe" ? 0 : 2);
    for (const name of regions) expect(["SOUTH", "WEST", "MIDWEST", "NORTHEAST", "ALASKA"]).toContain(name);
    expect(covered).toEqual([]);
  }
});

test("on a map of few items whose ids are barcodes, the classes have names", async () => {
  const opened = await open("cells");
  const labels = await opened.page.evaluate(() =>
    globalThis.dosnes!.app.panes[0]!.labels.map(({ kind, text }) => ({ kind, text })),
  );
  expect(labels.length).toBeGreaterThan(1);
  for (const { kind } of labels) expect(kind).toBe("class");
  expect(labels.map((l) => l.text)).toContain("monocytes");
  noErrors(opened);
});

test("among very many items, the most important ones have marks and names, if there are names and sizes", async () => {
  const { page } = await open("atlas", { viewport: { width: 1440, height: 900 } });
  const marked = () =>
    page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels.filter((l) => l.mark).map((l) => l.key));
  expect(await marked()).toEqual([]);
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    // The ids of this page are numbers; here they are names.
    Object.assign(app, { idsAreNames: true });
    app.store.set({ size: "depth" });
  });
  await settled(page);
  const found = await marked();
  expect(found.length).toBeGreaterThan(3);
  const top = await page.evaluate(() => [...globalThis.dosnes!.app.top.slice(0, 40)]);
  for (const item of found) expect(top).toContain(item);
  // On request only the names of classes.
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ labels: "classes" }));
  await settled(page);
  expect(await marked()).toEqual([]);
});

test("what can be done with a selection stands in one line", async () => {
  const { page } = await open("airports", { viewport: { width: 1440, height: 900 } });
  await page.click(".classes button >> nth=0");
  const box = (await page.locator(".selection").boundingBox())!;
  expect(box.height).toBeLessThan(48);
});

test("panels are there at once: a picture taken early has its legend", async () => {
  // With motion: the legend once faded in, and some pictures of the page were without it.
  const { page } = await open("airports", { reducedMotion: "no-preference" });
  const names = await page.evaluate(() =>
    [".legend", ".details", ".card"].map((part) => getComputedStyle(document.querySelector(part)!).animationName),
  );
  expect(names).toEqual(["none", "none", "none"]);
});

test("a page of images opens with the whole map; the globe is one click away, at its best side", async () => {
  const opened = await open("sprites", { viewport: { width: 1100, height: 720 } });
  const { page } = opened;
  expect(await page.getAttribute("[data-projection=equalearth]", "aria-pressed")).toBe("true");
  await page.click("[data-projection=globe]");
  await settled(page);
  const best = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    return [...app.bestSide(app.model.views[0]!)];
  });
  expect(between(best, await orientation(page))).toBeLessThan(0.1);
  const phone = (await open("sprites", { viewport: { width: 360, height: 740 } })).page;
  expect(await phone.getAttribute("[data-projection=globe]", "aria-pressed")).toBe("true");
  noErrors(opened);
});

test("on a phone the colours have words below the map, and a touch on them opens the legend", async () => {
  const opened = await open("airports", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const { page } = opened;
  expect(await page.textContent(".short")).toMatch(/^region/);
  expect(await page.locator(".short .entry .swatch").count()).toBeGreaterThan(3);
  // It covers neither the map nor the tools.
  const [short, tools] = [(await page.locator(".short").boundingBox())!, (await page.locator(".foot").boundingBox())!];
  const lowest = await page.evaluate(() => {
    const frame = globalThis.dosnes!.app.panes[0]!.frame();
    return frame.centerY + frame.radius;
  });
  expect(short.y).toBeGreaterThan(lowest - 1);
  expect(short.y + short.height).toBeLessThan(tools.y + 4);
  await page.tap(".short");
  expect(await page.isVisible(".legend.open")).toBe(true);
  await page.touchscreen.tap(180, 250);
  expect(await page.isVisible(".legend.open")).toBe(false);
  // The touch may have opened the details of an item, which take this place. A range of numbers has its ends; wide pages show the
  // whole legend instead.
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ focus: -1, color: "degree" }));
  await page.waitForSelector(".short .strip");
  await page.setViewportSize({ width: 1100, height: 720 });
  expect(await page.isHidden(".short")).toBe(true);
  noErrors(opened);
});
