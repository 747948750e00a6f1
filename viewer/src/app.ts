/** The whole page: the scene and the panes that show it. */
import type { Pane } from "./pane/pane.ts";
import { Scene } from "./scene.ts";

export class App extends Scene {
  readonly panes: Pane[] = [];

  /** Moves an item to the centre of every map. */
  flyToItem(item: number): void {
    for (const pane of this.panes) pane.flyToItem(item);
  }

  /** Shows the details of an item, and where it is. */
  visit(item: number): void {
    this.store.set({ focus: item });
    this.flyToItem(item);
  }

  /** Shows the whole sphere around an item, with true distances from it. */
  centreOn(item: number): void {
    this.store.set({ focus: item, projection: "equidistant" });
    for (const pane of this.panes) if (pane.sphere) pane.centreOn(item);
    this.announce(`Distances from ${this.name(item)}`);
  }

  /** Moves a cluster to the centre of every map. */
  flyToCluster(level: number, cluster: number): void {
    for (const pane of this.panes) pane.flyToCluster(level, cluster);
  }

  /** Turns every map to the highlighted items, if they are on its far side. */
  faceStanding(): void {
    for (const pane of this.panes) pane.faceStanding();
  }
}
