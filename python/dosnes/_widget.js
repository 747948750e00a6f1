/** The page in a frame of a notebook. Its selection and that of Python are kept the same. */

/** How often a page is asked whether it is ready, in milliseconds. */
const MOMENT = 30;

/** The page of a frame, once it has read its data; null if the frame is gone. */
function ready(frame, then) {
  if (!frame.isConnected) return;
  const app = frame.contentWindow?.dosnes?.app;
  if (app) then(app);
  else setTimeout(() => ready(frame, then), MOMENT);
}

/** The items that are highlighted in the page; none if it highlights all. */
function highlighted(app) {
  const items = [];
  app.mask?.forEach((is, item) => is && items.push(item));
  return items;
}

/** Highlights these items and no others. */
function highlight(app, items) {
  const selection = items.length ? new Uint8Array(app.model.count) : null;
  for (const item of items) selection[item] = 1;
  app.store.set({ selection, isolated: new Set(), ranges: new Map() });
}

const same = (a, b) => a.length === b.length && a.every((value, place) => value === b[place]);

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "map by dosnes";
  frame.allowFullscreen = true;
  frame.style.cssText = `width: 100%; height: ${model.get("_height")}px; border: 0; border-radius: 6px`;
  frame.srcdoc = model.get("_page");
  let shown = null;
  const tell = (change) => {
    for (const [name, value] of Object.entries(change)) model.set(name, value);
    model.save_changes();
  };
  const hear = () => {
    if (!shown) return;
    const items = model.get("selection");
    if (!same(highlighted(shown), items)) highlight(shown, items);
    if (shown.store.state.focus !== model.get("focus")) shown.store.set({ focus: model.get("focus") });
  };
  // A frame that a notebook moves to another place loads its page again.
  frame.addEventListener("load", () => {
    shown = null;
    ready(frame, (app) => {
      shown = app;
      hear();
      app.store.on(["selection", "isolated", "ranges"], () => {
        const items = highlighted(app);
        if (!same(items, model.get("selection"))) tell({ selection: items });
      });
      app.store.on(["focus"], () => tell({ focus: app.store.state.focus }));
    });
  });
  // Not all notebooks take several events at once.
  const changes = ["change:selection", "change:focus"];
  for (const change of changes) model.on(change, hear);
  el.append(frame);
  return () => changes.forEach((change) => model.off(change, hear));
}

export default { render };
