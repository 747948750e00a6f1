/** Installs Chromium for the tests when the system has none. */
import { spawnSync } from "node:child_process";
import { executable } from "./chromium.mjs";

if (!executable()) {
  const { status } = spawnSync("npx", ["playwright-core", "install", "chromium"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
