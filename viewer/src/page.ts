/** Builds the parts of the page and connects them. */
import { App } from "./app.ts";
import { Arrangement, NARROW } from "./arrangement.ts";
import { countOf } from "./ask/standing.ts";
import { firstColor, firstLabel, firstProjection, firstSize } from "./choice.ts";
import type { Model } from "./data/model.ts";
import { emptiestCut } from "./geometry/emptiest.ts";
import { projections } from "./geometry/projection.ts";
import type { Quaternion } from "./geometry/vector.ts";
import { interact, listen } from "./interaction.ts";
import { turning } from "./pane/motion.ts";
import { Pane, type PaneEvents } from "./pane/pane.ts";
import { answers } from "./panel/answers.ts";
import { contents } from "./panel/contents.ts";
import { card, details } from "./panel/details.ts";
import { count, h } from "./panel/dom.ts";
import { header } from "./panel/header.ts";
import { help } from "./panel/help.ts";
import { inset } from "./panel/inset.ts";
import { legend } from "./panel/legend.ts";
import { measures } from "./panel/measures.ts";
import { scrubber } from "./panel/scrubber.ts";
import { settings } from "./panel/settings.ts";
import { link, saveCsv, share } from "./panel/share.ts";
import { show, storyBar } from "./panel/story.ts";
import { table } from "./panel/table.ts";
import { selectionBar, toolbar } from "./panel/toolbar.ts";
import { wrap } from "./panel/wrap.ts";
import { decode } from "./share/permalink.ts";
import { FILTERS, type Key, type State, Store, unfiltered } from "./state.ts";

declare global {
  interface Window {
    /** For scripts and tests: the app object of the page. */
    dosnes?: { app: App; link: () => string };
  }
}

/** What the address of the page stores, apart from the cameras. */
const STORED: readonly Key[] = [
  "theme",
  "projection",
  "color",
  "size",
  "label",
  "labels",
  "ramp",
  "ghost",
  "arcs",
  "land",
  "sprites",
  ...FILTERS,
  "focus",
  "time",
  "linked",
  "story",
];

function firstState(model: Model): State {
  return {
    theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    projection: firstProjection(model, innerWidth > NARROW ? innerWidth / innerHeight : 0),
    color: firstColor(model),
    size: firstSize(model),
    label: firstLabel(model),
    ramp: "viridis",
    labels: "auto",
    ghost: false,
    arcs: false,
    land: true,
    sprites: true,
    tool: "turn",
    lassoMode: "replace",
    ...unfiltered(),
    focus: -1,
    hover: -1,
    time: Math.max(...model.views.map((v) => v.snapshots.length)),
    linked: true,
    story: [],
  };
}

export function build(model: Model, root: HTMLElement): void {
  const linked = decode(location.hash, model);
  const store = new Store({ ...firstState(model), ...linked.state });
  const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  const app = new App(model, store, (text) => (live.textContent = text));
  const stage = h("main", { class: "stage", "aria-label": "Map" });
  const remember = later(() => {
    try {
      history.replaceState(null, "", link(app));
    } catch {
      // Some browsers do not allow this for files. The share panel still has the link.
    }
  }, 400);

  const restListeners: (() => void)[] = [];
  const moveListeners: (() => void)[] = [remember];
  addPanes(app, stage, {
    moved(pane) {
      follow(app, pane);
      for (const listener of moveListeners) listener();
    },
    rested() {
      if (app.panes.every((pane) => pane.complete)) for (const listener of restListeners) listener();
    },
  });
  for (const [i, pane] of app.panes.entries()) {
    if (pane.sphere) pane.camera.orientation = firstOrientation(app, pane);
    if (linked.cameras[i]) Object.assign(pane.camera, linked.cameras[i]);
  }
  turnWithProjection(app);

  const dialogs = { table: table(app), share: share(app, stage), help: help(app), settings: settings(app) };
  const places = contents(app);
  const explained = answers(app);
  const bar = toolbar(app, {
    table: dialogs.table.open,
    share: dialogs.share.open,
    help: dialogs.help.open,
    settings: dialogs.settings.open,
    charts: explained.open,
  });
  const time = scrubber(app);
  const head = header(app);
  const measured = model.measures && measures(model.measures);
  const facts = head.querySelector(".facts")!;
  if (measured) facts.append(measured.button);
  const wrapping = wrap(app);
  if (wrapping) facts.append(wrapping);
  if (places) facts.append(places.button);
  const key = legend(app);
  const about = details(app);
  const selection = selectionBar(
    app,
    () => saveCsv(app),
    explained.open,
    () => `${count(countOf(app.mask))} of ${count(model.count)}`,
  );
  restListeners.push(selection.rested);
  const overview = inset(app);
  if (overview) moveListeners.push(overview.moved);
  const corner = h("aside", { class: "corner", "aria-label": "Overview" });
  if (overview) corner.append(overview.element);
  if (model.source) corner.append(h("p", { class: "source" }, model.source));
  const told = storyBar(app);
  const foot = h("footer", { class: "foot" }, told.element, selection.element, ...(time ? [time] : []), bar);
  const side = h("div", { class: "side" }, head, key.panel, about.panel);
  root.append(
    side,
    stage,
    key.button,
    ...(key.short ? [key.short] : []),
    corner,
    foot,
    card(app, stage),
    live,
    ...Object.values(dialogs).map((d) => d.dialog),
    ...(measured ? [measured.dialog] : []),
    ...(places ? [places.dialog] : []),
    explained.dialog,
  );

  const dress = () => (document.documentElement.dataset.theme = store.state.theme);
  dress();
  store.on(["theme"], dress);
  store.on(["tool"], () => stage.classList.toggle("lasso", store.state.tool === "lasso"));
  const arrangement = new Arrangement(app, {
    root,
    stage,
    head,
    legend: key.panel,
    details: about.panel,
    foot,
    corner,
    short: key.short,
  });
  arrangement.start();
  moveListeners.push(() => arrangement.moved());
  store.on(STORED, remember);
  listen(app, {
    "?": dialogs.help.open,
    i: explained.open,
    "[": () => told.step(-1),
    "]": () => told.step(1),
    ...(places && { c: places.open }),
    ...(wrapping && { w: () => wrapping.click() }),
  });
  addEventListener("hashchange", () => show(app, location.hash));
  // After the first frame, when the browser is idle.
  setTimeout(() => {
    model.ids.prepare();
    for (const column of model.columns) if (column.type === "text") column.texts.prepare();
  }, 1500);
  if (!location.hash) turnUntilUsed(app);
  window.dosnes = { app, link: () => link(app) };
}

function addPanes(app: App, stage: HTMLElement, events: PaneEvents): void {
  const { model } = app;
  for (const view of model.views) {
    const pane = new Pane(app, view, events);
    pane.top.tabIndex = 0;
    pane.top.setAttribute("role", "application");
    pane.top.setAttribute(
      "aria-label",
      `${view.name}: map of ${count(model.count)} ${model.noun}. Arrow keys turn, plus and minus zoom, Enter selects the item in the middle. The table has all items as text.`,
    );
    if (model.views.length > 1) pane.element.append(h("h2", { class: "pane-name" }, view.name));
    stage.append(pane.element);
    app.panes.push(pane);
    interact(app, pane);
  }
  if (app.panes[0]!.withoutGl) {
    stage.append(
      h("p", { class: "without-gl", role: "note" }, "This browser has no WebGL 2, so drawing points is slower."),
    );
  }
}

/** Other globes turn together with one that has moved, if they are linked. */
function follow(app: App, pane: Pane): void {
  if (following || !pane.sphere || !app.store.state.linked) return;
  following = true;
  for (const other of app.panes) {
    if (other === pane || !other.sphere) continue;
    other.setMotion(null);
    Object.assign(other.camera, pane.camera);
    other.moveNow();
  }
  following = false;
}

let following = false;

/** A globe shows its best side first; a whole map is cut through the emptiest part. */
const firstOrientation = (app: App, pane: Pane): Quaternion =>
  projections[app.store.state.projection].cut
    ? emptiestCut(pane.positions, app.order)
    : app.bestSide(app.model.views[0]!);

/**
 * A whole map is cut along a meridian. When it is opened, the map turns so that the cut goes through the emptiest part; the
 * globe comes back as it was left.
 */
function turnWithProjection(app: App): void {
  const { store } = app;
  const pane = app.panes.find((p) => p.sphere);
  if (!pane) return;
  let wasCut = projections[store.state.projection].cut;
  let globe = wasCut ? app.bestSide(app.model.views[0]!) : pane.camera.orientation;
  store.on(["projection"], () => {
    const { cut } = projections[store.state.projection];
    if (cut && !wasCut) {
      globe = pane.camera.orientation;
      pane.fly({ orientation: emptiestCut(pane.positions, app.order), zoom: 1 });
    } else if (!cut && wasCut) pane.fly({ orientation: globe, zoom: 1 });
    wasCut = cut;
  });
}

/** How long a page may be read before its globe begins to turn, in milliseconds. */
const IDLE = 3000;

/**
 * A globe that nobody has touched yet turns once, slowly, to show its far side. Not for people who prefer less motion, and
 * not without a graphics card, where it would keep the processor busy.
 */
function turnUntilUsed(app: App): void {
  const [pane, other] = app.panes;
  if (!pane?.sphere || other || app.reducedMotion || pane.software || pane.withoutGl) return;
  if (projections[app.store.state.projection].cut) return;
  const timer = setTimeout(() => pane.setMotion(turning(performance.now())), IDLE);
  const used = ["pointerdown", "pointermove", "wheel", "keydown", "focusin"];
  const stop = () => {
    clearTimeout(timer);
    pane.setMotion(null);
    for (const event of used) document.removeEventListener(event, stop, true);
  };
  for (const event of used) document.addEventListener(event, stop, true);
}

/** Debounces: calls `act` once, some time after the last call. */
function later(act: () => void, wait: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}
