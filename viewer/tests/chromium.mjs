/** The browser that tests and measurements use: the system's Chromium, or one installed for the tests. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const candidates = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export function executable() {
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  const own = chromium.executablePath();
  return existsSync(own) ? own : null;
}

const options = (...more) => ({
  executablePath: executable() ?? undefined,
  // Software GL: the same pictures on every machine, with or without a graphics card.
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    ...more,
  ],
  timeout: 300_000,
});

/** A browser for this process. */
export const launch = () => chromium.launch(options());

/**
 * A browser that several processes can connect to. It puts the layers of a page together without GL: in software that
 * takes a quarter of the time, and what the page itself draws is the same.
 */
export const launchServer = () => chromium.launchServer(options("--disable-gpu-compositing"));
