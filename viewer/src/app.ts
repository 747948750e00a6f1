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

  /** Turns every map to the highlighted items, if they are on its far side. */
  faceStanding(): void {
    for (const pane of this.panes) pane.faceStanding();
  }
}
