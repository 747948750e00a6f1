import { expect, test } from "vitest";
import type { PointPainter } from "../../src/draw/points.ts";
import type { Land } from "../../src/geometry/density.ts";
import { sphereProjections } from "../../src/geometry/projection.ts";
import { browser, itemInFront, noErrors, pixelOf, project, resting, settled } from "./harness.ts";

const { open } = browser();

test.each(sphereProjections.map((p) => [p.id, p.name] as const))(
  "%s: points are drawn where the mathematics says",
  async (id, name) => {
    // Without land, which is on the same canvas.
    const opened = await open("airports", { hash: "#d=0" });
    const { page } = opened;
    if (id !== "globe") await project(page, id);
    expect(await page.getAttribute(`[data-projection=${id}]`, "aria-pressed")).toBe("true");
    await settled(page);
    // Read the points' own canvas at the computed pixels of the weightiest airports.
    const share = await page.evaluate(() => {
      const { app } = globalThis.dosnes!;
      const pane = app.panes[0]!;
      const points = pane.layers[1]!;
      const copy = document.createElement("canvas");
      copy.width = points.width;
      copy.height = points.height;
      const c = copy.getContext("2d")!;
      c.drawImage(points, 0, 0);
      const out = new Float64Array(3);
      let [hit, all, far] = [0, 0, 0];
      for (const item of app.top.slice(0, 120)) {
        pane.frame().project(...pane.place(item), out);
        if (out[2]! < 0.3 && out[2]! > 0) continue;
        if (out[0]! < 0 || out[1]! < 0 || out[0]! > points.width || out[1]! > points.height) continue;
        const [r, g, b, a] = c.getImageData(Math.round(out[0]!), Math.round(out[1]!), 1, 1).data;
        if (out[2]! <= 0) {
          far++;
          continue;
        }
        all++;
        if (a! > 120 && r! + g! + b! > 60) hit++;
      }
      return { hit, all, far };
    });
    expect(share.all, name).toBeGreaterThan(20);
    expect(share.hit / share.all, name).toBeGreaterThan(0.97);
    noErrors(opened);
  },
);

test("projections are switched with a morph, and it ends", async () => {
  const { page } = await open("airports", { reducedMotion: "no-preference", holdClock: true });
  await project(page, "mollweide");
  const morph = () => page.evaluate(() => globalThis.dosnes!.app.panes[0]!.frame().morph);
  expect(await morph()).toBe(0);
  await page.clock.runFor(450);
  expect(await morph()).toBeCloseTo(0.5, 1);
  expect(await resting(page)).toBe(false);
  await page.clock.runFor(2000);
  expect(await morph()).toBe(1);
  expect(await resting(page)).toBe(true);
});

test("the far side is hidden and never picked; ghost mode shows it faintly and still never picks it", async () => {
  const { page } = await open("airports", { hash: "#d=0" });
  const far = await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const pane = app.panes[0]!;
    const out = new Float64Array(3);
    return [...app.top].filter((i) => {
      pane.frame().project(...pane.place(i), out);
      return out[2]! < -0.3;
    });
  });
  expect(far.length).toBeGreaterThan(20);
  const ink = () =>
    page.evaluate(() => {
      const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
      const copy = document.createElement("canvas");
      copy.width = points.width;
      copy.height = points.height;
      const c = copy.getContext("2d")!;
      c.drawImage(points, 0, 0);
      let sum = 0;
      const { data } = c.getImageData(0, 0, copy.width, copy.height);
      for (let i = 3; i < data.length; i += 4) sum += data[i]!;
      return sum;
    });
  const picked = () =>
    page.evaluate((far) => {
      const pane = globalThis.dosnes!.app.panes[0]!;
      const out = new Float64Array(3);
      return far.filter((i) => {
        pane.frame().project(...pane.place(i), out);
        return pane.pick(out[0]!, out[1]!) === i;
      }).length;
    }, far);
  const before = await ink();
  expect(await picked()).toBe(0);
  await page.click("[aria-label='Show the far side faintly']");
  await settled(page);
  const ghost = await ink();
  expect(ghost).toBeGreaterThan(before * 1.02);
  expect(ghost).toBeLessThan(before * 1.5);
  expect(await picked()).toBe(0);
});

test.each(sphereProjections.map((p) => p.id))("%s: land is drawn where the mathematics says", async (id) => {
  const opened = await open("airports", { hash: `#p=${id}` });
  const found = await opened.page.evaluate(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    const { land, painter } = (pane as unknown as { painter: { land: Land; painter: PointPainter } }).painter;
    const frame = pane.frame();
    // The land alone: no range of points is drawn over it.
    painter.draw(frame, pane.look(frame), [], 0, 1);
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [pane.layers[1]!.width, pane.layers[1]!.height];
    const c = copy.getContext("2d", { willReadFrequently: true })!;
    c.drawImage(pane.layers[1]!, 0, 0);
    const out = new Float64Array(3);
    let [right, all, dry] = [0, 0, 0];
    for (let row = 4; row < land.height; row += 5)
      for (let column = 0; column < land.width; column += 5) {
        const height = land.data[4 * (row * land.width + column) + 3]!;
        // Away from coasts and from the bands of shallow water.
        if (height > 0.15 && height < 0.56) continue;
        const [longitude, latitude] = [
          ((column + 0.5) / land.width) * 2 * Math.PI - Math.PI,
          ((row + 0.5) / land.height - 0.5) * Math.PI,
        ];
        const across = Math.cos(latitude);
        frame.project(across * Math.sin(longitude), Math.sin(latitude), across * Math.cos(longitude), out);
        if (out[2]! < 0.4 || out[0]! < 0 || out[1]! < 0 || out[0]! > copy.width || out[1]! > copy.height) continue;
        const alpha = c.getImageData(Math.floor(out[0]!), Math.floor(out[1]!), 1, 1).data[3]!;
        all++;
        if (height > 0.5) dry++;
        if (height > 0.5 === alpha > 120) right++;
      }
    return { right, all, dry };
  });
  expect(found.all).toBeGreaterThan(100);
  expect(found.dry).toBeGreaterThan(40);
  expect(found.all - found.dry).toBeGreaterThan(10);
  expect(found.right / found.all).toBeGreaterThan(0.98);
  noErrors(opened);
});

test("a great many points are density at rest, a sketch while turning, and the same density afterwards", async () => {
  const { page } = await open("dense", { holdClock: true, hash: "#d=0" });
  /** Opacity of every pixel of the points' own canvas. */
  const ink = () =>
    page.evaluateHandle(() => {
      const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [points.width, points.height];
      const c = copy.getContext("2d", { willReadFrequently: true })!;
      c.drawImage(points, 0, 0);
      return c.getImageData(0, 0, copy.width, copy.height).data.filter((_, i) => i % 4 === 3);
    });
  const before = await ink();
  await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.moveNow());
  await page.clock.runFor(50);
  const moving = await ink();
  await page.clock.runFor(5000);
  expect(await resting(page)).toBe(true);
  const after = await ink();
  const pictures = await page.evaluate(
    ({ before, moving, after }) => {
      const inked = (picture: Uint8ClampedArray) => picture.reduce((sum, a) => sum + (a > 40 ? 1 : 0), 0);
      const apart = (picture: Uint8ClampedArray) =>
        picture.reduce((sum, a, i) => sum + Math.abs(a - before[i]!), 0) / inked(before);
      return { inked: inked(moving) / inked(before), sketch: apart(moving), rest: apart(after) };
    },
    { before, moving, after },
  );
  expect(pictures.inked).toBeGreaterThan(0.3);
  expect(pictures.inked).toBeLessThan(1.5);
  expect(pictures.sketch).toBeGreaterThan(5);
  // Half-precision sums may end differently where many points fall, by less than a shade.
  expect(pictures.rest).toBeLessThan(1);
});

test("images stand for points where there is room, and none lies over another", async () => {
  const opened = await open("sprites");
  const { page } = opened;
  const shown = () =>
    page.evaluate(() => {
      const pane = globalThis.dosnes!.app.panes[0]!;
      const frame = pane.frame();
      const out = new Float64Array(3);
      const places = [...pane.pictured].map((item) => {
        frame.project(...pane.place(item), out);
        return [out[0]!, out[1]!] as const;
      });
      const size = pane.spriteSize(frame);
      const over = places.filter(([x, y], i) =>
        places.slice(0, i).some(([a, b]) => Math.abs(a - x) < size && Math.abs(b - y) < size),
      );
      let near = 0;
      for (let i = 0; i < globalThis.dosnes!.app.model.count; i++) {
        frame.project(...pane.place(i), out);
        if (out[2]! > 0.12 && out[0]! > 0 && out[0]! < frame.width && out[1]! > 0 && out[1]! < frame.height) near++;
      }
      return { size, count: places.length, over: over.length, near };
    });
  const far = await shown();
  expect(far.size).toBeGreaterThanOrEqual(22);
  expect(far.count).toBeGreaterThan(30);
  expect(far.over).toBe(0);
  const item = await itemInFront(page);
  const { x, y } = await pixelOf(page, item);
  await page.mouse.move(x, y);
  await page.waitForSelector("#card .image");
  await page.mouse.move(5, 5);
  // Nearer, there is room for more of them.
  await page.evaluate(() => {
    const pane = globalThis.dosnes!.app.panes[0]!;
    pane.camera.zoom = 8;
    pane.moveNow();
  });
  await settled(page);
  const close = await shown();
  expect(close.over).toBe(0);
  expect(close.count / close.near).toBeGreaterThan(far.count / far.near);
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ sprites: false }));
  await settled(page);
  expect((await shown()).count).toBe(0);
  noErrors(opened);
});

test("labels never overlap, in any projection, and class names label many points", async () => {
  const { page } = await open("airports");
  for (const { id } of sphereProjections) {
    await page.evaluate((id) => globalThis.dosnes!.app.store.set({ projection: id }), id);
    await settled(page);
    const labels = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels);
    expect(labels.length).toBeGreaterThan(25);
    for (const [i, a] of labels.entries())
      for (const b of labels.slice(0, i))
        expect(a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).toBe(false);
  }
  const many = await open("clusters");
  const texts = await many.page.evaluate(() => globalThis.dosnes!.app.panes[0]!.labels.map((l) => l.text));
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.every((t) => /[a-z]/i.test(t))).toBe(true);
});

test("hovering shows a card with all columns", async () => {
  const { page } = await open("airports");
  const item = await itemInFront(page);
  const { x, y } = await pixelOf(page, item);
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  const text = await page.textContent("#card");
  for (const word of ["name", "state", "region", "latitude", "total weight", "trust"]) expect(text).toContain(word);
  await page.mouse.move(3, 700);
  await page.waitForSelector("#card", { state: "hidden" });
});

test("the same page shows embeddings in space and in the plane", async () => {
  for (const name of ["space", "pair"]) {
    const opened = await open(name);
    const drawn = await opened.page.evaluate(() => globalThis.dosnes!.app.panes.map((p) => p.labels.length));
    for (const count of drawn) expect(count).toBeGreaterThan(8);
    noErrors(opened);
  }
});

test("a lost context comes back with its picture", async () => {
  const { page } = await open("airports");
  const alpha = () =>
    page.evaluate(() => {
      const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
      const copy = document.createElement("canvas");
      copy.width = points.width;
      copy.height = points.height;
      const c = copy.getContext("2d")!;
      c.drawImage(points, 0, 0);
      return c
        .getImageData(0, 0, copy.width, copy.height)
        .data.reduce((n, v, i) => n + (i % 4 === 3 && v > 100 ? 1 : 0), 0);
    });
  const before = await alpha();
  expect(before).toBeGreaterThan(500);
  const extension = await page.evaluateHandle(async () => {
    const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
    const lose = points.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
    const lost = new Promise((done) => points.addEventListener("webglcontextlost", done, { once: true }));
    lose.loseContext();
    await lost;
    return lose;
  });
  // In a call of its own: a context can be restored only after the event of its loss has ended.
  await extension.evaluate(async (lose) => {
    const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
    const restored = new Promise((done) => points.addEventListener("webglcontextrestored", done, { once: true }));
    lose.restoreContext();
    await restored;
  });
  await settled(page);
  expect(Math.abs((await alpha()) - before) / before).toBeLessThan(0.01);
});

test("without WebGL there are words and a drawing", async () => {
  const opened = await open("airports", {
    init: () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string, ...rest: unknown[]) {
        return type === "webgl2" ? null : (real as (...all: unknown[]) => unknown).call(this, type, ...rest);
      } as typeof real;
    },
  });
  expect(await opened.page.textContent(".without-gl")).toContain("no WebGL");
  const ink = await opened.page.evaluate(() => {
    const points = globalThis.dosnes!.app.panes[0]!.layers[1]!;
    const { data } = points.getContext("2d")!.getImageData(0, 0, points.width, points.height);
    return data.reduce((n, v, i) => n + (i % 4 === 3 && v > 100 ? 1 : 0), 0);
  });
  expect(ink).toBeGreaterThan(500);
  noErrors(opened);
});
