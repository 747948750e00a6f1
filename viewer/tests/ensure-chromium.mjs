/** Installs Chromium for the tests when the system has none: Playwright's own build, or else Debian's package. */
import { spawnSync } from "node:child_process";
import { executable } from "./chromium.mjs";

const attempts = [
  ["npx", "playwright-core", "install", "chromium"],
  ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
];
for (const [command, ...rest] of attempts) {
  if (executable()) break;
  spawnSync(command, rest, { stdio: "inherit" });
}
if (!executable()) {
  console.error("no Chromium: install one (Debian: apt-get install chromium), or say where it is by CHROMIUM=PATH");
  process.exit(1);
}
