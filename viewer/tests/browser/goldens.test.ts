/**
 * Pictures of demo data against committed ones. They are compared in blocks of 8 × 8 pixels, so that other fonts and other
 * antialiasing do no harm but anything out of place does. `UPDATE_GOLDENS=1 npm run browser` writes them anew: look at them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sphereProjections } from "../../src/geometry/projection.ts";
import { browser, itemInFront, itemOf, pixelOf, settled } from "./harness.ts";

const { open } = browser();
const directory = fileURLToPath(new URL("../goldens/", import.meta.url));

/** The share of blocks whose mean colour differs clearly. */
function difference(page: Page, a: Buffer, b: Buffer): Promise<number> {
  return page.evaluate(
    async ([a, b]) => {
      const read = async (data: string) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
        const canvas = document.createElement("canvas");
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
        const c = canvas.getContext("2d")!;
        c.drawImage(bitmap, 0, 0);
        return c.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [x, y] = [await read(a!), await read(b!)];
      if (x.width !== y.width || x.height !== y.height) return 1;
      let [bad, all] = [0, 0];
      for (let top = 0; top + 8 <= x.height; top += 8)
        for (let left = 0; left + 8 <= x.width; left += 8) {
          const sums = [0, 0, 0];
          for (let k = 0; k < 64; k++) {
            const at = 4 * ((top + (k >> 3)) * x.width + left + (k & 7));
            for (let channel = 0; channel < 3; channel++)
              sums[channel]! += x.data[at + channel]! - y.data[at + channel]!;
          }
          all++;
          if (sums.some((s) => Math.abs(s) / 64 > 26)) bad++;
        }
      return bad / all;
    },
    [a.toString("base64"), b.toString("base64")],
  );
}

async function compare(page: Page, name: string, away = true): Promise<void> {
  if (away) await page.mouse.move(0, 0);
  await settled(page);
  const now = await page.screenshot({ type: "jpeg", quality: 80 });
  const path = `${directory}${name}.jpg`;
  if (process.env.UPDATE_GOLDENS || !existsSync(path)) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, now);
    if (!process.env.UPDATE_GOLDENS)
      throw new Error(`${name}.jpg was missing and has been written: look at it and commit it`);
    return;
  }
  expect(await difference(page, now, readFileSync(path)), name).toBeLessThan(0.02);
}

test.each(["light", "dark"] as const)("all projections, %s", async (colorScheme) => {
  const { page } = await open("airports", { colorScheme, viewport: { width: 1100, height: 700 } });
  for (const { id } of sphereProjections) {
    await page.evaluate((id) => globalThis.dosnes!.app.store.set({ projection: id }), id);
    await compare(page, `airports-${id}-${colorScheme}`);
  }
});

test.each(["light", "dark"] as const)("a phone, %s", async (colorScheme) => {
  const { page } = await open("airports", { colorScheme, viewport: { width: 360, height: 740 } });
  await compare(page, `airports-phone-${colorScheme}`);
  await page.click(".legend-button");
  await compare(page, `airports-phone-legend-${colorScheme}`);
  await page.click(".legend [aria-label=Close]");
  const denver = await itemOf(page, "DEN");
  await page.evaluate((item) => globalThis.dosnes!.app.visit(item), denver);
  await compare(page, `airports-phone-details-${colorScheme}`);
});

test.each(["light", "dark"] as const)("a card with an image, %s", async (colorScheme) => {
  const { page } = await open("sprites", { colorScheme, viewport: { width: 900, height: 700 } });
  const { x, y } = await pixelOf(page, await itemInFront(page));
  await page.mouse.move(x, y);
  await page.waitForSelector("#card:not([hidden])");
  await compare(page, `card-${colorScheme}`, false);
});

test.each(["light", "dark"] as const)(
  "names of places, contents, edges, a centre and a story, %s",
  async (colorScheme) => {
    const atlas = (await open("atlas", { colorScheme, viewport: { width: 1100, height: 700 } })).page;
    await compare(atlas, `atlas-${colorScheme}`);
    await atlas.keyboard.press("c");
    await compare(atlas, `contents-${colorScheme}`);
    const airports = (await open("airports", { colorScheme, viewport: { width: 1100, height: 700 } })).page;
    await airports.evaluate(() => globalThis.dosnes!.app.store.set({ arcs: true }));
    await compare(airports, `edges-${colorScheme}`);
    await airports.evaluate(() => globalThis.dosnes!.app.store.set({ arcs: false }));
    const denver = await itemOf(airports, "DEN");
    await airports.evaluate((item) => globalThis.dosnes!.app.centreOn(item), denver);
    await compare(airports, `centre-${colorScheme}`);
    const hash = `#w=${encodeURIComponent("Hubs are not crowded\np=globe")}`;
    const told = (await open("airports", { colorScheme, hash, viewport: { width: 1100, height: 700 } })).page;
    await told.keyboard.press("]");
    await compare(told, `story-${colorScheme}`);
  },
);

test.each(["light", "dark"] as const)("what a selection is, with histograms, %s", async (colorScheme) => {
  const { page } = await open("airports", { colorScheme, viewport: { width: 1100, height: 700 } });
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ ranges: new Map([["degree", [20_000, 400_000]]]) }));
  await page.keyboard.press("i");
  await page.locator("dialog.answers .filters").last().scrollIntoViewIfNeeded();
  await compare(page, `answers-${colorScheme}`);
});

test("neighbours, classes, images, and views side by side", async () => {
  const airports = (await open("airports", { viewport: { width: 1280, height: 760 } })).page;
  const denver = await itemOf(airports, "DEN");
  await airports.evaluate((item) => {
    globalThis.dosnes!.app.visit(item);
  }, denver);
  await compare(airports, "neighbors");
  await compare(
    (await open("clusters", { colorScheme: "light", viewport: { width: 1100, height: 700 } })).page,
    "classes",
  );
  await compare((await open("sprites", { viewport: { width: 1100, height: 700 } })).page, "images");
  await compare((await open("pair", { colorScheme: "light", viewport: { width: 1280, height: 640 } })).page, "pair");
});
