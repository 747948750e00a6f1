import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { between, browser, noErrors, orientation, settled, state } from "./harness.ts";

const { open, address } = browser();

async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: file.suggestedFilename(), bytes: await buffer(await file.createReadStream()) };
}

test("a link brings back view, projection, colour, filters and selection", async () => {
  const { page } = await open("airports");
  await page.click("[data-projection=equalearth]");
  await page.selectOption(".legend select", "latitude");
  await page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const selection = new Uint8Array(app.model.count);
    selection[3] = selection[200] = selection[304] = 1;
    app.store.set({ selection, ranges: new Map([["latitude", [20, 45] as const]]), focus: 7 });
    app.panes[0]!.camera.orientation = [0.1, 0.7, 0.1, 0.7];
    app.panes[0]!.camera.zoom = 2;
    app.panes[0]!.moveNow();
  });
  await settled(page);
  // The address follows once nothing has changed for a while.
  await page.waitForFunction(() => location.href === globalThis.dosnes!.link());
  const link = await page.evaluate(() => location.hash);
  const other = (await open("airports", { hash: link })).page;
  expect(await state(other, "projection")).toBe("equalearth");
  expect(await state(other, "color")).toBe("latitude");
  expect(await state(other, "focus")).toBe(7);
  expect(await other.evaluate(() => [...globalThis.dosnes!.app.store.state.ranges])).toEqual([["latitude", [20, 45]]]);
  expect(
    await other.evaluate(() => [...globalThis.dosnes!.app.store.state.selection!].flatMap((x, i) => (x ? [i] : []))),
  ).toEqual([3, 200, 304]);
  expect(between(await orientation(other), await orientation(page))).toBeLessThan(0.01);
  expect(await other.evaluate(() => globalThis.dosnes!.app.panes[0]!.camera.zoom)).toBe(2);
  expect(address("airports")).toMatch(/^file:/);
});

test("PNG up to 8K, with transparency", async () => {
  const opened = await open("airports");
  const { page } = opened;
  await page.click("[aria-label='Share and export']");
  await page.selectOption(".share .choices label:nth-child(1) select", "8192");
  await page.selectOption(".share .choices label:nth-child(2) select", "none");
  const { name, bytes } = await saved(page, "#save-png");
  expect(name).toBe("US-flights.png");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(bytes.readUInt32BE(16)).toBe(8192);
  expect(bytes.readUInt32BE(20)).toBeGreaterThan(4000);
  // Colour type 6: with an alpha channel; and the corner is clear.
  expect(bytes[25]).toBe(6);
  const corner = await page.evaluate(async (data) => {
    const binary = atob(data);
    // A plain loop: an iterator over 13 million letters takes seconds.
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 400;
    const c = canvas.getContext("2d")!;
    c.drawImage(bitmap, 0, 0, 400, 400);
    return [c.getImageData(2, 2, 1, 1).data[3], c.getImageData(200, 200, 1, 1).data[3]];
  }, bytes.toString("base64"));
  expect(corner).toEqual([0, 255]);
  noErrors(opened);
});

test("SVG of few points is true vectors; of many, labels are vectors over a picture", async () => {
  const few = (await open("airports")).page;
  await few.click("[aria-label='Share and export']");
  const svg = (await saved(few, "#save-svg")).bytes.toString();
  // The land is one image; it is a field, not a shape.
  expect(svg.match(/<image/g)!.length).toBe(1);
  expect(svg.match(/<circle/g)!.length).toBeGreaterThan(80);
  expect(svg).toContain(">EWR</text>");
  // Borders between classes are lines on the land; without land there are none.
  const border = /<path d="[^"]{200,}"[^>]*rgba\(228,236,250,0\.75\)/;
  expect(svg).toMatch(border);
  await few.evaluate(() => globalThis.dosnes!.app.store.set({ land: false }));
  await settled(few);
  expect((await saved(few, "#save-svg")).bytes.toString()).not.toMatch(border);
  const parsed = await few.evaluate(
    (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "",
    svg,
  );
  expect(parsed).toBe("");
  const many = (await open("clusters")).page;
  await many.click("[aria-label='Share and export']");
  const large = (await saved(many, "#save-svg")).bytes.toString();
  expect(large).toContain("<image");
  expect(large).toMatch(/<text[^>]*>[^<]*cells<\/text>/);
  expect(large.match(/<circle/g)!.length).toBeLessThan(20);
});

test("CSV of the selection has ids, columns and positions", async () => {
  const { page } = await open("airports");
  await page.locator(".classes button").nth(4).click();
  const { bytes } = await saved(page, ".selection >> text=Save CSV");
  const lines = bytes.toString().trim().split("\r\n");
  expect(lines[0]).toBe("id,name,state,region,latitude,longitude,degree,trust,x,y,z");
  expect(lines.length - 1).toBe(Number(await page.locator(".classes button .count").nth(4).textContent()));
  for (const line of lines.slice(1)) {
    const [x, y, z] = line.split(",").slice(-3).map(Number) as [number, number, number];
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 5);
  }
});
