/** Opens the test pages in a real Chromium. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { App } from "../../src/app.ts";
import type { ProjectionId } from "../../src/geometry/projection.ts";

declare global {
  // What the page offers to scripts; here so that functions sent to the page are typed.
  var dosnes: { app: App; link: () => string } | undefined;
}

export interface Opened {
  page: Page;
  requests: string[];
  errors: string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the pages, written once for all files. */
    pages: string;
    /** The address of the browser, started once for all files. */
    browser: string;
  }
}

/** The time at which a held clock stands: far beyond any that loading takes. */
const HOUR = 3_600_000;

interface OpenOptions extends BrowserContextOptions {
  hash?: string;
  /** Runs in the page before its own script. */
  init?: () => void;
  /** Holds the page's clock once the page has settled: timers and frames then run only by `page.clock.runFor`. */
  holdClock?: boolean;
}

/** Within a test file: the browser, and a way to open pages in it. What a test has opened is closed when it ends. */
export function browser() {
  let running: Browser;
  const contexts: BrowserContext[] = [];
  const address = (name: string) => pathToFileURL(join(inject("pages"), `${name}.html`)).href;
  beforeAll(async () => {
    running = await chromium.connect(inject("browser"));
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(() => running?.close());
  return {
    address,
    async open(name: string, options: OpenOptions = {}): Promise<Opened> {
      const { hash = "", init, holdClock = false, ...rest } = options;
      const context = await running.newContext({
        viewport: { width: 1100, height: 720 },
        reducedMotion: "reduce",
        colorScheme: "dark",
        ...rest,
      });
      contexts.push(context);
      // Only a hang takes as long: a picture of 8192 pixels needs a minute on a busy machine without a graphics card.
      context.setDefaultTimeout(Number(process.env.TEST_WAIT ?? 300_000));
      const page = await context.newPage();
      const opened: Opened = { page, requests: [], errors: [] };
      page.on("request", (r) => opened.requests.push(r.url()));
      page.on("pageerror", (e) => opened.errors.push(String(e)));
      page.on("console", (m) => m.type() === "error" && opened.errors.push(m.text()));
      if (init) await page.addInitScript(init);
      if (holdClock) await page.clock.install({ time: 0 });
      await page.goto(address(name) + hash);
      await page.waitForFunction(() => globalThis.dosnes !== undefined);
      await settled(page);
      if (holdClock) await page.clock.pauseAt(HOUR);
      return opened;
    },
  };
}

/** Chooses a projection as a user does: the two that lead have buttons, the others are in a menu. */
export async function project(page: Page, id: ProjectionId): Promise<void> {
  const button = page.locator(`[data-projection=${id}]`);
  if (!(await button.isVisible())) await page.click(".segments .more");
  await button.click();
}

/** Whether the picture is whole and nothing moves. */
export const resting = (page: Page): Promise<boolean> =>
  page.evaluate(() => globalThis.dosnes!.app.panes.every((p) => p.resting));

/** Until the picture is whole and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.dosnes!.app.panes.every((p) => p.resting));
}

/** The item of that id. */
export const itemOf = (page: Page, id: string): Promise<number> =>
  page.evaluate((id) => {
    const { model } = globalThis.dosnes!.app;
    for (let i = 0; i < model.count; i++) if (model.ids.at(i) === id) return i;
    return -1;
  }, id);

/** The pixel of an item, and whether it is on the near side. */
export const pixelOf = (page: Page, item: number, pane = 0): Promise<{ x: number; y: number; near: boolean }> =>
  page.evaluate(
    ([item, pane]) => {
      const p = globalThis.dosnes!.app.panes[pane!]!;
      const out = new Float64Array(3);
      p.frame().project(...p.place(item!), out);
      const box = p.element.getBoundingClientRect();
      return { x: out[0]! + box.x, y: out[1]! + box.y, near: out[2]! > 0 };
    },
    [item, pane],
  );

/** Some item well on the near side. */
export const itemInFront = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { app } = globalThis.dosnes!;
    const out = new Float64Array(3);
    const pane = app.panes[0]!;
    const frame = pane.frame();
    let [best, most] = [-1, -1];
    for (let i = 0; i < app.model.count; i++) {
      frame.project(...pane.place(i), out);
      if (out[2]! > most && pane.pick(out[0]!, out[1]!) === i) [best, most] = [i, out[2]!];
    }
    return best;
  });

export const state = <K extends keyof App["store"]["state"]>(page: Page, key: K): Promise<App["store"]["state"][K]> =>
  page.evaluate((key) => globalThis.dosnes!.app.store.state[key], key) as Promise<App["store"]["state"][K]>;

export const orientation = (page: Page, pane = 0): Promise<number[]> =>
  page.evaluate((pane) => [...globalThis.dosnes!.app.panes[pane]!.camera.orientation], pane);

/** Degrees between two orientations. */
export const between = (a: number[], b: number[]): number => {
  const dot = Math.abs(a.reduce((sum, x, i) => sum + x * b[i]!, 0));
  return (2 * Math.acos(Math.min(1, dot)) * 180) / Math.PI;
};

export function noErrors(opened: Opened): void {
  expect(opened.errors).toEqual([]);
}
