import { expect, test } from "vitest";
import { between, browser, itemInFront, noErrors, orientation, pixelOf, resting, settled, state } from "./harness.ts";

const { open } = browser();

test("the grabbed point stays within a pixel of the cursor, and a closed drag comes back", async () => {
  const opened = await open("airports");
  const { page } = opened;
  const item = await itemInFront(page);
  const start = await pixelOf(page, item);
  const before = await orientation(page);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (const [dx, dy] of [
    [60, 20],
    [110, -70],
    [-90, -100],
    [-60, 90],
  ] as const) {
    await page.mouse.move(start.x + dx, start.y + dy, { steps: 4 });
    const now = await pixelOf(page, item);
    expect(Math.hypot(now.x - start.x - dx, now.y - start.y - dy)).toBeLessThan(1);
  }
  // Far out of the globe, around, and back.
  await page.mouse.move(1090, 700, { steps: 5 });
  await page.mouse.move(start.x, start.y, { steps: 5 });
  expect(between(before, await orientation(page))).toBeLessThan(0.1);
  await page.mouse.up();
  noErrors(opened);
});

test("a swing goes on after the release and comes to rest; with reduced motion it does not", async () => {
  for (const [reducedMotion, swings] of [
    ["no-preference", true],
    ["reduce", false],
  ] as const) {
    const { page } = await open("airports", { reducedMotion, holdClock: true });
    // A swing of the wrist: 70 pixels in 40 milliseconds.
    await page.mouse.move(500, 360);
    await page.mouse.down();
    for (let k = 1; k <= 5; k++) {
      await page.clock.runFor(8);
      await page.mouse.move(500 + 14 * k, 360);
    }
    await page.mouse.up();
    const released = await orientation(page);
    await page.clock.runFor(700);
    expect(between(released, await orientation(page)) > 1).toBe(swings);
    // It comes to rest: nothing moves any more, and no other picture is drawn.
    await page.clock.runFor(5000);
    expect(await resting(page)).toBe(true);
    const rest = await orientation(page);
    await page.clock.runFor(5000);
    expect(await orientation(page)).toEqual(rest);
  }
});

test("the wheel zooms at the cursor", async () => {
  const { page } = await open("airports");
  const world = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.frame().unproject(620, 300)!);
  await page.mouse.move(620, 300);
  await page.mouse.wheel(0, -600);
  // The call does not wait until the page has had the event.
  await page.waitForFunction(() => globalThis.dosnes!.app.panes[0]!.camera.zoom !== 1);
  await settled(page);
  const after = await page.evaluate((world) => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    const out = new Float64Array(3);
    pane.frame().project(...world, out);
    return { x: out[0]!, y: out[1]!, zoom: pane.camera.zoom };
  }, world);
  expect(after.zoom).toBeGreaterThan(2);
  expect(Math.hypot(after.x - 620, after.y - 300)).toBeLessThan(0.5);
});

test("a double click brings a place to the middle, along the great circle", async () => {
  const { page } = await open("airports", { reducedMotion: "no-preference", holdClock: true });
  const place = await page.evaluate(() => {
    const frame = globalThis.dosnes!.app.panes[0]!.frame();
    return {
      x: frame.centerX + frame.scale * 0.5,
      y: frame.centerY - frame.scale * 0.3,
      cx: frame.centerX,
      cy: frame.centerY,
    };
  });
  const world = await page.evaluate(({ x, y }) => globalThis.dosnes!.app.panes[0]!.frame().unproject(x, y), place);
  /** Where the place is now, from the middle. */
  const offset = () =>
    page.evaluate((world) => {
      const frame = globalThis.dosnes!.app.panes[0]!.frame();
      const out = new Float64Array(3);
      frame.project(world![0], world![1], world![2], out);
      return { x: out[0]! - frame.centerX, y: out[1]! - frame.centerY };
    }, world);
  await page.mouse.dblclick(place.x, place.y);
  await page.clock.runFor(450);
  const way = await offset();
  // On its way it lies on the straight line to the middle: that is the great circle seen from above.
  const [dx, dy] = [place.x - place.cx, place.y - place.cy];
  const whole = Math.hypot(dx, dy);
  expect(Math.abs(way.x * dy - way.y * dx) / whole).toBeLessThan(2);
  expect(Math.hypot(way.x, way.y)).toBeGreaterThan(0.2 * whole);
  expect(Math.hypot(way.x, way.y)).toBeLessThan(0.8 * whole);
  await page.clock.runFor(2000);
  expect(await resting(page)).toBe(true);
  const end = await offset();
  expect(Math.hypot(end.x, end.y)).toBeLessThan(1);
});

test("north up, over the poles, by keyboard alone", async () => {
  const { page } = await open("airports");
  await page.focus(".layer.labels");
  const start = await orientation(page);
  for (let k = 0; k < 14; k++) {
    await page.keyboard.press("ArrowUp");
    await settled(page);
  }
  expect(between(start, await orientation(page))).toBeCloseTo(140, 5);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("+");
  await settled(page);
  expect(await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.camera.zoom)).toBeCloseTo(1.4, 5);
  await page.keyboard.press("n");
  await settled(page);
  const north = await page.evaluate(() => {
    const { rotation } = globalThis.dosnes!.app.panes[0]!.frame();
    return [rotation[3]!, rotation[4]!];
  });
  expect(Math.abs(north[0]!)).toBeLessThan(1e-6);
  expect(north[1]!).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("p");
  expect(await state(page, "projection")).toBe("perspective");
  await page.keyboard.press("Enter");
  expect(await state(page, "focus")).toBeGreaterThanOrEqual(-1);
});

test("one finger turns, two pinch and twist", async () => {
  const { page } = await open("airports", { hasTouch: true });
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await orientation(page);
  await touch("touchStart", [500, 350]);
  for (let k = 1; k <= 5; k++) await touch("touchMove", [500 + 20 * k, 350]);
  await touch("touchEnd");
  await settled(page);
  const turned = await orientation(page);
  expect(between(before, turned)).toBeGreaterThan(5);
  await touch("touchStart", [500, 350], [600, 350]);
  for (let k = 1; k <= 6; k++) {
    const a = (k * Math.PI) / 24;
    const r = 50 + 10 * k;
    await touch(
      "touchMove",
      [550 - r * Math.cos(a), 350 - r * Math.sin(a)],
      [550 + r * Math.cos(a), 350 + r * Math.sin(a)],
    );
  }
  await touch("touchEnd");
  await settled(page);
  expect(await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.camera.zoom)).toBeCloseTo(110 / 50, 1);
  expect(between(turned, await orientation(page))).toBeCloseTo(45, -1);
});

test("no picture is drawn when nothing moves", async () => {
  const { page } = await open("airports", { holdClock: true });
  const frames = () => page.evaluate(() => globalThis.dosnes!.app.panes[0]!.frames);
  const before = await frames();
  await page.clock.runFor(10_000);
  expect(await frames()).toBe(before);
  // A frame would have been counted.
  await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.redraw());
  await page.clock.runFor(100);
  expect(await frames()).toBe(before + 1);
});
