/** Writes the pages that the tests look at, once for all of them. */
import type { TestProject } from "vitest/node";
import { writePages } from "../pages.mjs";

export default function setup(project: TestProject): void {
  const { directory } = writePages("airports", "pair", "space", "snapshots", "sprites", "hostile", "clusters", "dense", "compared");
  project.provide("pages", directory);
}
