/** Names, sizes, images and appearance. */
import type { App } from "../app.ts";
import { columnNamed, titleOf } from "../color/coloring.ts";
import type { LabelMode } from "../state.ts";
import { choose, closer, h } from "./dom.ts";

export function settings(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "settings", "aria-labelledby": "settings-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "settings-title" }, "Settings"),
      closer("Close", () => dialog.close()),
    ),
  );
  // Made anew each time: keys and other panels change the same settings.
  const fill = () => {
    dialog.querySelector(".choices")?.remove();
    dialog.append(choices(app));
  };
  return {
    dialog,
    open() {
      fill();
      dialog.showModal();
    },
  };
}

function choices(app: App): HTMLElement {
  const { store, model } = app;
  const numbers = [
    ...model.columns.filter((c) => c.type === "number").map((c) => c.name),
    ...(model.degree ? ["degree"] : []),
  ];
  const rows = h(
    "div",
    { class: "choices" },
    choose(
      "Names on the map",
      [
        ["auto", "as many as have room"],
        ["items", `of ${model.noun}`],
        ["classes", "of classes"],
        ["none", "none"],
      ],
      store.state.labels,
      (v) => store.set({ labels: v as LabelMode }),
    ),
    choose(
      `Names of ${model.noun}`,
      [["", "id"], ...model.columns.map((c) => [c.name, c.name] as const)],
      store.state.label ?? "",
      (v) => store.set({ label: v || null }),
    ),
    choose(
      "Size of points",
      [
        ["", "the same for all"],
        ...numbers.filter((n) => columnNamed(model, null, n)).map((n) => [n, titleOf(n)] as const),
      ],
      store.state.size ?? "",
      (v) => store.set({ size: v || null }),
    ),
    model.neighbors &&
      choose(
        "Edges",
        [
          ["off", "none"],
          ["on", "arcs of the strongest similarities"],
        ],
        store.state.arcs ? "on" : "off",
        (v) => store.set({ arcs: v === "on" }),
      ),
    choose(
      "Far side",
      [
        ["off", "hidden"],
        ["on", "faintly visible"],
      ],
      store.state.ghost ? "on" : "off",
      (v) => store.set({ ghost: v === "on" }),
    ),
    choose(
      "Land",
      [
        ["on", `where ${model.noun} are dense, with borders`],
        ["off", "none"],
      ],
      store.state.land ? "on" : "off",
      (v) => store.set({ land: v === "on" }),
    ),
    choose(
      "Background",
      [
        ["light", "light"],
        ["dark", "dark"],
      ],
      store.state.theme,
      (v) => store.set({ theme: v as "light" | "dark" }),
    ),
  );
  if (app.panes.length > 1) {
    rows.append(
      choose(
        "Globes",
        [
          ["on", "turn together"],
          ["off", "turn one by one"],
        ],
        store.state.linked ? "on" : "off",
        (v) => store.set({ linked: v === "on" }),
      ),
    );
  }
  if (app.sheet) {
    rows.append(
      choose(
        "Images",
        [
          ["on", "if there is room"],
          ["off", "never"],
        ],
        store.state.sprites ? "on" : "off",
        (v) => store.set({ sprites: v === "on" }),
      ),
    );
  }
  return rows;
}
