/** What distinguishes the highlighted items from the others: values and words of texts, and numbers. */
import { CLUSTER_NUMBER } from "../choice.ts";
import { type Column, formatNumber, type Model, type NumberColumn, type TextColumn } from "../data/model.ts";

export interface TypicalText {
  column: string;
  text: string;
  /** The shares of the highlighted items and of the others that have it. */
  inside: number;
  outside: number;
}

export interface TypicalNumber {
  column: string;
  /** The means of the highlighted items and of the others, as texts. */
  inside: string;
  outside: string;
  /** The difference of the means, in standard deviations of all. */
  effect: number;
}

export interface Typical {
  texts: TypicalText[];
  numbers: TypicalNumber[];
}

const MOST_TEXTS = 12;
const MOST_NUMBERS = 8;
/** Smaller differences are not worth a line. */
const LEAST_EFFECT = 0.2;
const LEAST_ITEMS = 2;
const STOP = new Set(
  "the and for with from that this are was were not but has have had its his her their our your into about over under of to in on at by as an or is it be via using based".split(
    " ",
  ),
);

/** Whether most texts occur once, so that only their words can be compared. */
const isProse = (column: TextColumn) => column.codes === null || column.texts.length > 0.5 * column.codes.length;

/** The terms of a text: its words, or its parts if it is a list, or itself. */
function termsOf(text: string, prose: boolean): Set<string> {
  if (!prose) return new Set(text.split(/\s*[,;|]\s*/).filter(Boolean));
  const words = text.toLowerCase().match(/[\p{L}\p{N}']{3,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word) && /\p{L}/u.test(word)));
}

function ofTexts(column: TextColumn, mask: Uint8Array, selected: number): (TypicalText & { score: number })[] {
  const counts = new Uint32Array(2 * column.texts.length);
  for (let item = 0; item < mask.length; item++)
    counts[2 * (column.codes ? column.codes[item]! : item) + (mask[item] ? 0 : 1)]!++;
  const terms = new Map<string, [number, number]>();
  const prose = isProse(column);
  for (let code = 0; code < column.texts.length; code++) {
    for (const term of termsOf(column.texts.at(code), prose)) {
      const found = terms.get(term) ?? [0, 0];
      found[0] += counts[2 * code]!;
      found[1] += counts[2 * code + 1]!;
      terms.set(term, found);
    }
  }
  const others = mask.length - selected;
  return Array.from(terms, ([text, [a, b]]) => {
    const [inside, outside] = [a / selected, b / Math.max(1, others)];
    const all = (a + b) / mask.length;
    // The part of the divergence of the two distributions that is due to this term.
    const score = a >= LEAST_ITEMS && inside > outside ? inside * Math.log(inside / all) : 0;
    return { column: column.name, text, inside, outside, score };
  }).filter((term) => term.score > 0);
}

function ofNumbers(column: NumberColumn, mask: Uint8Array): TypicalNumber | null {
  const sums = [0, 0, 0, 0, 0];
  for (let item = 0; item < mask.length; item++) {
    const value = column.values[item]!;
    if (Number.isNaN(value)) continue;
    const side = mask[item] ? 0 : 2;
    sums[side]! += 1;
    sums[side + 1]! += value;
    sums[4]! += value * value;
  }
  const [a, sumA, b, sumB, squares] = sums as [number, number, number, number, number];
  if (!a || !b) return null;
  const mean = (sumA + sumB) / (a + b);
  const deviation = Math.sqrt(Math.max(0, squares / (a + b) - mean * mean));
  const effect = deviation > 0 ? (sumA / a - sumB / b) / deviation : 0;
  const shown = (value: number) => formatNumber(Number(value.toPrecision(4)), column.years);
  return { column: column.name, inside: shown(sumA / a), outside: shown(sumB / b), effect };
}

/** Whether a column has numbers that mean something: the number of a cluster is only its place in a list. */
export const isMeasured =
  (model: Model) =>
  (column: Column): column is NumberColumn =>
    column.type === "number" && !(model.clusters && column.name === CLUSTER_NUMBER);

/** How the numbers of the highlighted items differ from those of the others; nothing if all or none are highlighted. */
export function numbersOf(model: Model, mask: Uint8Array | null): TypicalNumber[] {
  const columns: Column[] = [...model.columns, ...(model.degree ? [model.degree] : [])];
  return mask ? columns.filter(isMeasured(model)).flatMap((c) => ofNumbers(c, mask) ?? []) : [];
}

export function typicalOf(model: Model, mask: Uint8Array): Typical {
  const selected = mask.reduce((sum, m) => sum + m, 0);
  if (!selected) return { texts: [], numbers: [] };
  const texts = model.columns.flatMap((c) => (c.type === "text" ? ofTexts(c, mask, selected) : []));
  texts.sort((a, b) => b.score - a.score || a.text.localeCompare(b.text));
  const numbers = numbersOf(model, mask)
    .filter((n) => Math.abs(n.effect) >= LEAST_EFFECT)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  return { texts: texts.slice(0, MOST_TEXTS), numbers: numbers.slice(0, MOST_NUMBERS) };
}
