/** Creates elements. Texts become text nodes and attributes only: nothing from the data is parsed as markup. */

type Child = Node | string | null | false | undefined;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | null | undefined | ((event: never) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as (event: Event) => void);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== false && c !== undefined));
  return element;
}

/** Line icons of 24 × 24, drawn with paths. */
const icons = {
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  lasso: "M12 4c5 0 9 2.5 9 6s-4 6-9 6-9-2.500-9-6 4-6 9-6ZM7 15c-1 1-1 3 1 3s2 2 0 3",
  north: "M12 3l6 17-6-4-6 4 6-17Z",
  ghost: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 3v18M15 4.500v15M18 7v10",
  arcs: "M4 17C7 6 17 6 20 17M4 17h.01M20 17h.01M9 19c1-4 5-4 6 0",
  table: "M4 5h16v14H4ZM4 10h16M4 14.500h16M10 5v14",
  charts: "M4 20h16M7 20v-6M12 20V5M17 20v-10",
  share: "M12 15V3M7.500 7.500 12 3l4.500 4.500M5 13v7h14v-7",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM9.500 9.500a2.500 2.500 0 1 1 3.600 2.200c-.8.5-1.100 1-1.100 2M12 16.800v.2",
  close: "M6 6l12 12M18 6 6 18",
  play: "M8 5l11 7-11 7Z",
  pause: "M8 5v14M16 5v14",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  more: "M6 9.500l6 6 6-6",
  legend: "M5 7h.01M9 7h10M5 12h.01M9 12h10M5 17h.01M9 17h10",
  link: "M10 14l4-4M8 12l-2 2a3 3 0 0 0 4.200 4.200l2-2M16 12l2-2a3 3 0 0 0-4.200-4.200l-2 2",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
} as const;

export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

/** A drop-down list with a caption. */
export function choose(
  caption: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  changed: (value: string) => void,
): HTMLLabelElement {
  const select = h("select", { change: () => changed(select.value) });
  for (const [option, text] of options) select.append(h("option", { value: option }, text));
  select.value = value;
  return h("label", { class: "choice" }, h("span", {}, caption), select);
}

/** A button that closes a panel. */
export const closer = (caption: string, close: () => void): HTMLButtonElement =>
  h("button", { type: "button", class: "plain", "aria-label": caption, click: close }, icon("close"));

export const count = (n: number): string => n.toLocaleString("en-US");
