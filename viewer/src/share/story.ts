/** A story: views with captions, in order. They are part of the link to the page. */

export interface Stop {
  readonly caption: string;
  /** The fragment of the address of the view, without the story. */
  readonly view: string;
}

/** More stops, or longer captions, would make addresses so long that mail programs cut them. */
export const MOST_STOPS = 30;
export const LONGEST_CAPTION = 280;

/** How long a stop is read, in milliseconds: a moment to look, and the time to read its caption. */
export const readingTime = ({ caption }: Stop): number => 3500 + 55 * caption.length;

export const encodeStop = ({ caption, view }: Stop): string => `${caption}\n${view}`;

/** Null if it is not a stop. */
export function decodeStop(text: string): Stop | null {
  const end = text.lastIndexOf("\n");
  if (end < 0 || end === text.length - 1) return null;
  return { caption: text.slice(0, end).slice(0, LONGEST_CAPTION), view: text.slice(end + 1) };
}
