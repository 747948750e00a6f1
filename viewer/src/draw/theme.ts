/** Colours of everything on the canvas except the points; colours of the panels are in the style sheet. */
export interface Theme {
  dark: boolean;
  page: string;
  /** Centre and limb of the sphere. */
  middle: string;
  limb: string;
  outline: string;
  graticule: string;
  ink: string;
  halo: string;
  muted: string;
  /** Edges to neighbours that are also near on the map, and to those that are not. */
  kept: string;
  torn: string;
  /** The colour of the other points while some are highlighted. */
  grey: readonly [number, number, number];
}

export const themes: Readonly<Record<"light" | "dark", Theme>> = {
  dark: {
    dark: true,
    page: "#0e1116",
    middle: "#1a202a",
    limb: "#12161d",
    outline: "rgba(148,163,184,0.42)",
    graticule: "rgba(148,163,184,0.13)",
    ink: "#eef1f5",
    halo: "rgba(14,17,22,0.88)",
    muted: "#9aa4b2",
    kept: "rgba(125,211,252,0.85)",
    torn: "rgba(251,146,60,0.9)",
    grey: [82, 90, 102],
  },
  light: {
    dark: false,
    page: "#f7f8fa",
    middle: "#ffffff",
    limb: "#eef1f5",
    outline: "rgba(71,85,105,0.38)",
    graticule: "rgba(71,85,105,0.13)",
    ink: "#16191f",
    halo: "rgba(255,255,255,0.92)",
    muted: "#59626f",
    kept: "rgba(2,100,160,0.75)",
    torn: "rgba(194,65,12,0.85)",
    grey: [190, 196, 205],
  },
};
