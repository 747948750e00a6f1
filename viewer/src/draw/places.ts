/** Names of clusters by scale, as an atlas has them: the nearer, the smaller the clusters that are named. */
import type { Clusters } from "../data/clusters.ts";
import type { Extent } from "../geometry/extents.ts";
import type { Vector } from "../geometry/vector.ts";
import { type Candidate, oneLine, spaced } from "./labels.ts";

/** The level whose clusters have names at a zoom: about so many on the whole map for each square of the zoom. */
const NAMES = 16;
/** What tells clusters of the same name apart. */
const NUMBERED = / \(\d+\)$/;
/** Keys of clusters are below those of classes. */
const FIRST_KEY = -1_000_000;

export function levelAt(clusters: Clusters, zoom: number): number {
  let found = 0;
  for (const [place, level] of clusters.levels.entries())
    if (level.names.length <= NAMES * Math.max(1, zoom) ** 2) found = place;
  return found;
}

/**
 * The names of the clusters of a level, where each is densest: the middle of a long or divided one may be in another. Where classes have names on the map, only what comes after the class is shown, and
 * nothing for a cluster that is only named after its class. With `led`, names may stand apart from their places.
 */
export function placeCandidates(
  clusters: Clusters,
  level: number,
  extents: readonly Extent[],
  anchors: readonly (Vector | null)[],
  classes: ReadonlySet<string> | null,
  led = true,
): Candidate[] {
  const names = clusters.levels[level]?.names ?? [];
  const largest = Math.max(1, ...extents.map((extent) => extent.count));
  return names.flatMap((name, cluster) => {
    const extent = extents[cluster];
    const text = classes ? afterClass(name) : name;
    // The names of its classes, of one or of a mixture, stand on the map already.
    const terms = text.replace(NUMBERED, "").split(" · ");
    if (!extent || (classes && terms.every((term) => classes.has(term)))) return [];
    return {
      key: FIRST_KEY - 1000 * level - cluster,
      text: shortened(spaced(text), 30),
      position: anchors[cluster] ?? extent.middle,
      weight: Math.sqrt(extent.count / largest),
      clear: 0,
      kind: !classes && level <= 1 ? ("class" as const) : ("place" as const),
      led,
    };
  });
}

/** A name without its last terms, if it is too long with them. */
function shortened(name: string, most: number): string {
  const terms = name.split(" · ");
  while (terms.length > 1 && terms.join(" · ").length > most) terms.pop();
  return oneLine(terms.join(" · "), most);
}

/** "sport: rugby · wales" without the class. */
function afterClass(name: string): string {
  const colon = name.indexOf(": ");
  return colon < 0 ? name : name.slice(colon + 2);
}
