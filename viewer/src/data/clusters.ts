/** Clusters of the items on several levels, from few large ones to many small ones. */
import { type Block, type NumberArray, readNumbers } from "./blocks.ts";

export interface ClustersHeader {
  finest: Block;
  levels: { names: string[]; of_finest: number[] }[];
}

export interface Level {
  readonly names: readonly string[];
  /** The cluster of this level that contains each cluster of the finest level. */
  readonly ofFinest: readonly number[];
}

export class Clusters {
  constructor(
    /** The cluster of each item on the finest level. */
    readonly finest: NumberArray,
    readonly levels: readonly Level[],
  ) {}

  /** The number of items in each cluster of a level. */
  sizes(level: Level): Uint32Array {
    const sizes = new Uint32Array(level.names.length);
    for (const cluster of this.finest) sizes[level.ofFinest[cluster]!]!++;
    return sizes;
  }

  /** The clusters of the next level that lie in a cluster, the largest first. */
  within(level: number, cluster: number): number[] {
    const [outer, inner] = [this.levels[level], this.levels[level + 1]];
    if (!outer || !inner) return [];
    const found = new Set<number>();
    for (const [finest, containing] of outer.ofFinest.entries())
      if (containing === cluster) found.add(inner.ofFinest[finest]!);
    return [...found].sort((a, b) => a - b);
  }
}

export async function readClusters(header: ClustersHeader): Promise<Clusters> {
  const levels = header.levels.map(({ names, of_finest }) => ({ names, ofFinest: of_finest }));
  return new Clusters(await readNumbers(header.finest), levels);
}
