/** Places the panels and fits the maps into what they leave free. */
import type { App } from "./app.ts";
import { projections } from "./geometry/projection.ts";
import { columnsFor, freePart, type Rect } from "./layout.ts";
import type { Pane } from "./pane/pane.ts";

export interface Parts {
  root: HTMLElement;
  stage: HTMLElement;
  head: HTMLElement;
  legend: HTMLElement;
  details: HTMLElement;
  foot: HTMLElement;
  corner: HTMLElement;
  /** The short legend of a phone. */
  short: HTMLElement | null;
}

/** Up to this width the page is a phone's; up to the other one, details have a column of their own. */
export const PHONE = 760;
export const NARROW = 1000;
/** A page that is higher than wide by this factor, such as a tablet's, has room for the map below the title and the legend. */
const UPRIGHT = 1.2;

/** From this zoom on, a map is larger than the room that was left for it. */
const NEAR = 1.05;

const room = (pane: Pane) => Math.min(pane.free.width, pane.free.height);

export class Arrangement {
  private readonly several: boolean;

  constructor(
    private readonly app: App,
    private readonly parts: Parts,
  ) {
    this.several = app.panes.length > 1;
  }

  start(): void {
    const { app, parts } = this;
    parts.root.classList.toggle("several", this.several);
    const sizes = new ResizeObserver(() => this.arrange());
    for (const element of [parts.stage, parts.head, parts.details, parts.foot, ...(parts.short ? [parts.short] : [])])
      sizes.observe(element);
    app.store.on(["projection", "color", "focus"], () => this.arrange());
    app.store.on(["projection", "arcs"], () => this.moved());
    this.arrange();
    this.moved();
  }

  /** Whether the map reaches below the words: near by, or with arcs above it. */
  moved(): void {
    const { app, parts } = this;
    const near = app.panes.some((pane) => pane.camera.zoom > NEAR);
    parts.root.classList.toggle("below", !this.several && (near || app.store.state.arcs));
  }

  /** Rectangles of elements above a pane, in pixels of the pane. */
  private over(pane: Pane, panels: readonly Element[]): Rect[] {
    const box = pane.element.getBoundingClientRect();
    return panels
      .map((e) => e.getBoundingClientRect())
      .filter((r) => r.width > 0 && r.height > 0)
      .map((r) => ({ x: r.x - box.x, y: r.y - box.y, width: r.width, height: r.height }));
  }

  private arrange(): void {
    const { app, parts } = this;
    const { root, stage, head, legend, details, foot, corner, short } = parts;
    const phone = innerWidth <= PHONE;
    // The column is there before anything is selected, so that no map moves when something is.
    const upright = !phone && !this.several && innerWidth <= NARROW && innerHeight > UPRIGHT * innerWidth;
    root.classList.toggle("upright", upright);
    // A whole map is so wide that there is more room above it than beside it.
    const flat = innerWidth > NARROW && !this.several && projections[app.store.state.projection].cut;
    root.classList.toggle("flat", flat);
    root.classList.toggle("beside", !phone && !upright && (this.several || innerWidth <= NARROW));
    // A long title has several lines and moves the elements below it.
    root.style.setProperty("--below-head", `${Math.round(head.getBoundingClientRect().bottom + 14)}px`);
    root.style.setProperty("--foot", `${Math.round(innerHeight - foot.getBoundingClientRect().top + 8)}px`);
    const box = stage.getBoundingClientRect();
    stage.style.setProperty("--columns", String(columnsFor(app.panes.length, box.width, box.height)));
    for (const pane of app.panes) {
      const { width, height } = pane.element.getBoundingClientRect();
      const names = pane.element.querySelectorAll(".pane-name");
      // The search is narrower than a long title, and a title narrower than a search.
      const panels = [...head.children, ...foot.children];
      // On a phone the legend is a sheet above everything.
      if (!phone) panels.push(legend);
      else if (short) panels.push(short);
      // Upright, the map is so wide that it would reach below the overview.
      if (upright) panels.push(corner);
      pane.free = freePart(
        pane.projectionFor(),
        width,
        height,
        this.over(pane, [...panels, ...names, ...(phone || upright ? [details] : [])]),
      );
      pane.blocked = this.over(pane, [...panels, corner, details]);
    }
    // Maps side by side have the same size, that of the one with the least room.
    const least = app.panes.reduce((a, b) => (room(b) < room(a) ? b : a));
    for (const pane of app.panes) {
      pane.free = { ...least.free };
      const { width, height } = pane.element.getBoundingClientRect();
      pane.resize(width, height);
    }
  }
}
