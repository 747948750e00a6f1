import { defineConfig } from "vitest/config";

// Two files at a time: a browser spends much of a test waiting.
export default defineConfig({
  test: { dir: "tests/browser", globalSetup: "tests/browser/setup.ts", testTimeout: 120_000, hookTimeout: 300_000, maxWorkers: 2 },
});
