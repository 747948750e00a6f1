import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    dir: "tests/browser",
    globalSetup: "tests/browser/setup.ts",
    // Two files at a time: a browser spends much of a test waiting.
    maxWorkers: 2,
    // Tests wait for conditions: only a hang takes as long as this, however busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
