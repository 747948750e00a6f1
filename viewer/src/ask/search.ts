/** Finds items that contain the query in any of their texts. */
import type { Model } from "../data/model.ts";

export interface Found {
  /** The first items to show; those whose names begin with the query come first. */
  items: number[];
  /** Total number of items found. */
  total: number;
  /** One byte for each item, 1 if found. */
  mask: Uint8Array;
}

export function search(model: Model, query: string, most = 30): Found {
  const mask = new Uint8Array(model.count);
  const begins: number[] = [];
  const contains: number[] = [];
  let total = 0;
  const hit = (item: number, atStart: boolean) => {
    if (mask[item]) return;
    mask[item] = 1;
    total++;
    if (atStart && begins.length < most) begins.push(item);
    else if (!atStart && contains.length < most) contains.push(item);
  };
  model.ids.search(query, hit);
  for (const column of model.columns) {
    if (column.type !== "text") continue;
    if (!column.codes) {
      column.texts.search(query, (text) => hit(text, false));
      continue;
    }
    // Each distinct text is searched once.
    const matching = new Uint8Array(column.texts.length);
    let any = false;
    column.texts.search(query, (text) => {
      matching[text] = 1;
      any = true;
    });
    if (any) for (let i = 0; i < model.count; i++) if (matching[column.codes[i]!]) hit(i, false);
  }
  return { items: [...begins, ...contains].slice(0, most), total, mask };
}
