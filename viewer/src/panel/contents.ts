/** The table of contents: the clusters of the map, which flies to the one that is chosen. */
import type { App } from "../app.ts";
import type { Clusters } from "../data/clusters.ts";
import { spaced } from "../draw/labels.ts";
import { closer, count, h } from "./dom.ts";

/** Countries in their continents; smaller places have names on the map only. */
const DEPTH = 2;

export interface Contents {
  /** For the head of the page. */
  button: HTMLButtonElement;
  dialog: HTMLDialogElement;
  open(): void;
}

/** Null if the map has no clusters. */
export function contents(app: App): Contents | null {
  const { clusters } = app.model;
  if (!clusters || !(clusters.levels[0]!.names.length > 1)) return null;
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "contents", "aria-labelledby": "contents-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "contents-title" }, "Contents"),
      closer("Close", () => dialog.close()),
    ),
  );
  const visit = (level: number, cluster: number) => {
    dialog.close();
    app.flyToCluster(level, cluster);
    app.announce(`At ${clusters.levels[level]!.names[cluster]}`);
  };
  dialog.append(list(app, clusters, visit));
  const open = () => dialog.showModal();
  const button = h(
    "button",
    { type: "button", class: "plain facts-button", title: "The places on the map (C)", click: open },
    "Contents",
  );
  return { button, dialog, open };
}

function list(app: App, clusters: Clusters, visit: (level: number, cluster: number) => void): HTMLElement {
  const sizes = clusters.levels.slice(0, DEPTH).map((level) => clusters.sizes(level));
  const entry = (level: number, cluster: number): HTMLElement => {
    const inner = level + 1 < DEPTH ? clusters.within(level, cluster) : [];
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "plain", click: () => visit(level, cluster) },
        h("span", { class: "name" }, spaced(clusters.levels[level]!.names[cluster]!)),
        h("span", { class: "count" }, count(sizes[level]![cluster]!)),
      ),
      // A cluster that is not divided is listed once.
      inner.length > 1 && h("ol", {}, ...inner.map((c) => entry(level + 1, c))),
    );
  };
  return h(
    "div",
    { class: "scroll" },
    h("p", { class: "note" }, `Groups of ${app.model.noun} that lie together, named by what is typical of them.`),
    h("ol", { class: "entries" }, ...clusters.levels[0]!.names.map((_, cluster) => entry(0, cluster))),
  );
}
