/** Writes the pages that the tests look at and starts the browser, once for all test files. */
import type { TestProject } from "vitest/node";
import { launchServer } from "../chromium.mjs";
import { writePages } from "../pages.mjs";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { directory } = writePages(
    "airports",
    "pair",
    "space",
    "snapshots",
    "earlier",
    "sprites",
    "hostile",
    "clusters",
    "atlas",
    "barcodes",
    "cells",
    "dense",
    "compared",
  );
  project.provide("pages", directory);
  const server = await launchServer();
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}
