import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browser, itemInFront, noErrors, project, settled, state } from "./harness.ts";

const { open } = browser();
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in a part of the page. The page gets axe once, and is asked for nothing but violations. */
async function violations(page: Page, part = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ["violations"] };
  const found = await page.evaluate(
    async ([part, options]) => {
      const { violations } = await (globalThis as unknown as { axe: typeof import("axe-core") }).axe.run(part, options);
      return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join()}`);
    },
    [part, options] as const,
  );
  return found;
}

test("axe is there, and finds what is wrong", async () => {
  const { page } = await open("hostile");
  await page.evaluate(() => document.querySelector("#search")!.removeAttribute("aria-label"));
  await page.evaluate(() => document.querySelector("#search")!.removeAttribute("placeholder"));
  expect(await violations(page)).toEqual(["label: #search"]);
});

test.each([
  ["airports", "dark", 1100],
  ["airports", "light", 360],
  ["pair", "light", 1100],
  ["snapshots", "dark", 1100],
] as const)("axe finds nothing: %s, %s, %i px", async (name, colorScheme, width) => {
  const { page } = await open(name, { colorScheme, viewport: { width, height: 720 } });
  await page.evaluate(
    (item) => globalThis.dosnes!.app.store.set({ focus: item, tool: "lasso" }),
    await itemInFront(page),
  );
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ focus: -1, tool: "turn", color: "degree" }));
  expect(await violations(page)).toEqual([]);
  for (const label of ["Table of all items", "Share and export", "Settings of names, sizes and appearance", "Help"]) {
    await page.click(`[aria-label='${label}']`);
    expect(await violations(page, "dialog[open]")).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

test.each(["light", "dark"] as const)(
  "axe finds nothing in contents, answers, stories and a centre, %s",
  async (colorScheme) => {
    const { page } = await open("atlas", { colorScheme, hash: `#w=${encodeURIComponent("A caption\np=globe")}` });
    await page.keyboard.press("]");
    await page.evaluate((item) => globalThis.dosnes!.app.centreOn(item), await itemInFront(page));
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("c");
    expect(await violations(page, "dialog[open]")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      const { app } = globalThis.dosnes!;
      app.store.set({ selection: Uint8Array.from({ length: app.model.count }, (_, i) => Number(i % 7 === 0)) });
    });
    await page.keyboard.press("i");
    expect(await violations(page, "dialog[open]")).toEqual([]);
  },
);

test("a phone of 360 pixels shows everything and nothing overlaps", async () => {
  const { page } = await open("airports", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll("h1, .facts, #search, .legend-button, .toolbar > *")]
      .map((e) => ({ name: e.className || e.tagName, box: e.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
      .map(({ name, box }) => ({ name, x: box.x, y: box.y, right: box.right, bottom: box.bottom })),
  );
  for (const [i, a] of boxes.entries()) {
    expect(a.x).toBeGreaterThanOrEqual(0);
    expect(a.right).toBeLessThanOrEqual(360);
    for (const b of boxes.slice(0, i))
      expect(a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom, `${a.name} and ${b.name}`).toBe(false);
  }
  const frame = await page.evaluate(() => globalThis.dosnes!.app.panes[0]!.frame().radius);
  expect(frame).toBeGreaterThan(140);
  await page.tap(".legend-button");
  await page.waitForSelector(".classes", { state: "visible" });
  await page.tap(".legend-button");
  await page.waitForSelector(".classes", { state: "hidden" });
  const item = await itemInFront(page);
  await page.evaluate((i) => globalThis.dosnes!.app.store.set({ focus: i }), item);
  expect(await page.isVisible("#details")).toBe(true);
});

test("a long title moves what is below it, and details take their place beside maps that they would hide", async () => {
  const apart = async (page: Page, one: string, other: string) => {
    const [a, b] = [
      (await page.locator(one).first().boundingBox())!,
      (await page.locator(other).first().boundingBox())!,
    ];
    return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;
  };
  const long = (await open("hostile")).page;
  await long.evaluate(() => {
    document.querySelector("h1")!.textContent =
      "A title that is so long that it can in no way be shown in one line only";
    globalThis.dosnes!.app.store.set({ focus: 1 });
  });
  // The layout follows in the next frame, when the browser says that sizes have changed.
  await expect.poll(() => apart(long, "#search", "#details")).toBe(true);
  expect(await apart(long, ".toolbar", "#details")).toBe(true);
  for (const { page } of [await open("pair"), await open("airports", { viewport: { width: 900, height: 700 } })]) {
    for (const focus of [1, 2]) {
      await page.evaluate((focus) => globalThis.dosnes!.app.store.set({ focus }), focus);
      await settled(page);
      expect(await apart(page, ".pane", "#details")).toBe(true);
    }
  }
});

test("the theme follows the system and can be switched", async () => {
  const { page } = await open("airports", { colorScheme: "light" });
  expect(await state(page, "theme")).toBe("light");
  await page.click("[aria-label='Switch between light and dark']");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(11, 14, 20)");
});

test("the table has all items, sorts, and goes to an item", async () => {
  const { page } = await open("airports");
  await page.click("[aria-label='Table of all items']");
  expect(await page.textContent(".pages p")).toBe("1–100 of 305 airports");
  await page.click(".pages >> text=Next");
  expect(await page.textContent(".pages p")).toBe("101–200 of 305 airports");
  await page.click("thead >> text=latitude");
  expect(await page.getAttribute("th[aria-sort]", "aria-sort")).toBe("ascending");
  const latitudes = await page.locator("tbody tr td:nth-child(5)").allTextContents();
  expect(latitudes.map(Number)).toEqual(latitudes.map(Number).sort((a, b) => a - b));
  await page.click("thead >> text=name");
  const names = await page.locator("tbody tr td:nth-child(2)").allTextContents();
  expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  const first = await page.textContent("tbody tr:first-child th");
  await page.click("tbody tr:first-child th button");
  expect(await page.evaluate(() => globalThis.dosnes!.app.model.ids.at(globalThis.dosnes!.app.store.state.focus))).toBe(
    first,
  );
});

test.each([1100, 360])("measures of all maps are a table with the best marked, at %i px", async (width) => {
  const opened = await open("compared", { colorScheme: "light", viewport: { width, height: 720 } });
  const { page } = opened;
  await page.keyboard.press("m");
  expect(await page.locator("dialog.measures thead th").allTextContents()).toEqual([
    "Measure",
    "DOSNES",
    "The same, mirrored",
    "t-SNE",
    "<b>MDS</b>",
  ]);
  expect(await page.locator("dialog.measures .best").allTextContents()).toEqual([
    "0.322 ± 0.004 (best)",
    "0.930 (best)",
  ]);
  expect(await page.locator("dialog.measures .sentences dt").allTextContents()).toEqual(["Neighbours"]);
  expect(await page.textContent("dialog.measures .sentences dd")).toContain("12 % (<b>MDS</b>)");
  expect(await violations(page, "dialog[open]")).toEqual([]);
  // What has no room scrolls within the dialog, not the page.
  const [inner, outer] = await page.evaluate(() => {
    const scroll = document.querySelector("dialog.measures .scroll")!;
    return [scroll.scrollWidth - scroll.clientWidth, document.documentElement.scrollWidth];
  });
  expect(inner > 0).toBe(width === 360);
  expect(outer).toBeLessThanOrEqual(width);
  await page.keyboard.press("Escape");
  await page.click("text=Measures");
  expect(await page.isVisible("dialog.measures")).toBe(true);
  noErrors(opened);
  expect(await (await open("pair")).page.locator(".measures-button").count()).toBe(0);
});

test("what happens is announced", async () => {
  const { page } = await open("airports");
  const said = () => page.textContent("[aria-live=polite].unseen");
  await project(page, "fisheye");
  expect(await said()).toContain("Fish-eye");
  await page.locator(".classes button").first().click();
  expect(await said()).toContain("South");
  await page.evaluate((i) => globalThis.dosnes!.app.store.set({ focus: i }), await itemInFront(page));
  expect(await said()).toMatch(/neighbours kept/);
});

test("every button can be reached by Tab", async () => {
  const { page } = await open("airports");
  const all = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLElement>("button, select, input, canvas[tabindex]")]
        .filter((e) => e.offsetParent !== null || e.tagName === "CANVAS")
        .filter((e) => !e.closest("dialog")).length,
  );
  const reached = new Set<string>();
  for (let k = 0; k < all + 5; k++) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(() => {
        const e = document.activeElement!;
        return `${e.tagName}:${e.className}:${e.getAttribute("aria-label") ?? e.textContent}`;
      }),
    );
  }
  for (const label of ["North up", "Share and export", "Table of all items", "Switch between light and dark"])
    expect(
      [...reached].some((r) => r.includes(label)),
      label,
    ).toBe(true);
  expect([...reached].some((r) => r.startsWith("CANVAS"))).toBe(true);
});

test("no request leaves the page", async () => {
  const opened = await open("airports");
  const { page, requests } = opened;
  await page.evaluate((i) => globalThis.dosnes!.app.store.set({ focus: i }), await itemInFront(page));
  for (const projection of ["fisheye", "mollweide"] as const) await project(page, projection);
  await page.fill("#search", "a");
  await settled(page);
  expect(requests.filter((r) => !r.startsWith("data:"))).toHaveLength(1);
  // Whatever a label might do: the policy forbids it.
  const blocked = await page.evaluate(async () => {
    const tries: string[] = [];
    await fetch("https://example.org/").catch(() => tries.push("fetch"));
    await new Promise<void>((done) => {
      const image = new Image();
      image.onerror = () => {
        tries.push("image");
        done();
      };
      image.onload = () => done();
      image.src = "https://example.org/x.png";
    });
    const script = document.createElement("script");
    script.textContent = "window.injected = 1";
    document.body.append(script);
    if (!("injected" in window)) tries.push("script");
    return tries;
  });
  expect(blocked).toEqual(["fetch", "image", "script"]);
});

test("hostile labels are shown as text", async () => {
  const opened = await open("hostile");
  const { page } = opened;
  expect(await page.title()).toBe("</title><script>window.broken=1</script>");
  expect(await page.textContent("h1")).toContain("</title><script>");
  for (let item = 0; item < 14; item++) {
    await page.evaluate(
      (item) => globalThis.dosnes!.app.store.set({ focus: item, hover: item, color: "<b>class</b>" }),
      item,
    );
    await settled(page);
  }
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ label: "__proto__", color: "number" }));
  await page.fill("#search", "<img");
  expect(await page.textContent("#found li")).toContain("<img src=x onerror");
  await page.fill("#search", "");
  await page.click("[aria-label='Table of all items']");
  const cells = await page.locator("tbody th").allTextContents();
  expect(cells[0]).toContain("</script><script>");
  expect(cells[6]).toBe("nul\ufffdnul");
  expect(cells[4]!.length).toBeLessThan(60);
  expect(cells[7]).toBe("\ufeffbom");
  await page.keyboard.press("Escape");
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ focus: 12 }));
  expect(await page.getAttribute("#details a", "href")).toBe("https://example.org/a?b=1");
  await page.evaluate(() => globalThis.dosnes!.app.store.set({ focus: 10 }));
  expect(await page.locator("#details a").count()).toBe(0);
  expect(await page.locator("#details img, h1 *, .legend b, .legend img").count()).toBe(0);
  expect(await page.evaluate(() => "broken" in window)).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1100);
  noErrors(opened);
});
