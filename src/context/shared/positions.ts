/** Places among the articles, and how one comes to them. */

/** An article and how far into it the top edge is, in pixels. */
export interface ScrollAnchor {
  readonly index: number;
  readonly offset: number;
}

/** What one can go to, one after the other: messages of the user, failed tool calls, labels, compactions and resets. */
export const TARGET_KINDS = ['user', 'error', 'label', 'cut'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Where the reader stands: at the entry that they went to, else at or between articles (`1.5`: between 1 and 2). */
export interface ReadingPosition {
  readonly position: number;
  readonly entryId?: string;
}

/** Where in an article a match is. */
export interface MatchLocation {
  /** Which of the article's texts, as the page marks it. */
  readonly key: string;
  /** Which match in that text, from 0. */
  readonly nth: number;
  /** Folds to be opened, the outer first, as the page names them within the article. */
  readonly folds: readonly string[];
  /** Of a text that is sent without its middle: what is around the match. */
  readonly excerpt?: Excerpt;
}

/** A piece of a text; `from` in UTF-16 units of the whole. */
export interface Excerpt {
  readonly from: number;
  readonly text: string;
  /** Which match in the piece, from 0. */
  readonly nth: number;
}
