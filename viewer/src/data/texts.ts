/** Many texts in one string, with an array of their ends: compact for a million labels. */
import { type Block, readBytes, readNumbers } from "./blocks.ts";

export interface TextsHeader {
  lengths: Block;
  text: Block;
}

/** How well a text fits a query: 0 is the query itself, 1 begins with it or has it as a word, 2 has a word that begins with it, 3 contains it. */
export type Rank = 0 | 1 | 2 | 3;

/** Whether a text in lower case has no letter and no digit at a place. Those of ASCII are told quickly. */
function isGap(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return !((code >= 97 && code <= 122) || (code >= 48 && code <= 57));
  return !/[\p{L}\p{N}]/u.test(text[at]!);
}

export class Texts {
  private folded: string | null = null;

  /** `ends[i]` is where text i ends, in UTF-16 code units. */
  constructor(
    readonly all: string,
    readonly ends: Uint32Array,
  ) {}

  static of(texts: readonly string[]): Texts {
    const ends = new Uint32Array(texts.length);
    let end = 0;
    for (const [i, text] of texts.entries()) {
      end += text.length;
      ends[i] = end;
    }
    return new Texts(texts.join(""), ends);
  }

  get length(): number {
    return this.ends.length;
  }

  at(i: number): string {
    return this.all.slice(i > 0 ? this.ends[i - 1]! : 0, this.ends[i]!);
  }

  /**
   * Calls `visit` for each text that contains `query`, case ignored, in order, with how well it fits. One search through the
   * whole string; a match across the end of a text does not count.
   */
  search(query: string, visit: (index: number, rank: Rank) => void): void {
    const wanted = query.toLowerCase();
    if (!wanted || !this.length) return;
    const folded = this.fold();
    let index = 0;
    let best: Rank | null = null;
    let at = folded.indexOf(wanted);
    while (at >= 0) {
      for (; this.ends[index]! <= at; index++) {
        if (best !== null) visit(index, best);
        best = null;
      }
      const start = index > 0 ? this.ends[index - 1]! : 0;
      const end = this.ends[index]!;
      if (at + wanted.length <= end) {
        const whole = at === start && at + wanted.length === end;
        const begins = at === start || isGap(folded, at - 1);
        const ends = at + wanted.length === end || isGap(folded, at + wanted.length);
        const rank = whole ? 0 : at === start || (begins && ends) ? 1 : begins ? 2 : 3;
        best = best === null || rank < best ? rank : best;
        // Such a text cannot fit better.
        if (best <= 1) at = end - 1;
      }
      at = folded.indexOf(wanted, at + 1);
    }
    if (best !== null) visit(index, best);
  }

  /** Prepares the search, so that the first one is fast. */
  prepare(): void {
    this.fold();
  }

  private fold(): string {
    if (this.folded === null) {
      const folded = this.all.toLowerCase();
      // A few letters (İ) become longer in lower case and would shift all texts behind them, so they keep their case.
      this.folded =
        folded.length === this.all.length
          ? folded
          : Array.from(this.all, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join("");
    }
    return this.folded;
  }
}

/** The texts "0", "1", …, created only for a search. */
export class NumberTexts extends Texts {
  private made: Texts | null = null;

  constructor(private readonly count: number) {
    super("", new Uint32Array(0));
  }

  override get length(): number {
    return this.count;
  }

  override at(i: number): string {
    return String(i);
  }

  override prepare(): void {
    this.made ??= Texts.of(Array.from({ length: this.count }, (_, i) => String(i)));
  }

  override search(query: string, visit: (index: number, rank: Rank) => void): void {
    this.prepare();
    this.made!.search(query, visit);
  }
}

export async function readTexts(header: TextsHeader): Promise<Texts> {
  const lengths = await readNumbers(header.lengths);
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  for (let i = 0; i < lengths.length; i++) ends[i] = end += lengths[i]!;
  // Without ignoreBOM the decoder would remove a leading U+FEFF of the first label and shift all others.
  return new Texts(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readBytes(header.text)), ends);
}
