/** Many texts in one string, with an array of their ends: compact for a million labels. */
import { type Block, readBytes, readNumbers } from "./blocks.ts";

export interface TextsHeader {
  lengths: Block;
  text: Block;
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
   * Calls `visit` for each text that contains `query`, case ignored, in order, until it returns false. One search through
   * the whole string; a match across the end of a text does not count.
   */
  search(query: string, visit: (index: number, atStart: boolean) => void): void {
    const wanted = query.toLowerCase();
    if (!wanted || !this.length) return;
    const folded = this.fold();
    let index = 0;
    let from = 0;
    for (;;) {
      const at = folded.indexOf(wanted, from);
      if (at < 0) return;
      while (this.ends[index]! <= at) index++;
      if (at + wanted.length > this.ends[index]!) {
        from = at + 1;
        continue;
      }
      visit(index, at === (index > 0 ? this.ends[index - 1]! : 0));
      from = this.ends[index]!;
      index++;
      if (index >= this.length) return;
    }
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

  override search(query: string, visit: (index: number, atStart: boolean) => void): void {
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
