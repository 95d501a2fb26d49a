/** Positions within the list of articles, and the kinds of targets that the user can step through. */

/** The article at the top edge, and how many pixels of it are above the edge. */
export interface ScrollAnchor {
  readonly index: number;
  readonly offset: number;
}

/** Kinds of navigation targets: user messages, failed tool calls, labels, compactions and resets. */
export const TARGET_KINDS = ['user', 'error', 'label', 'cut'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/**
 * The reader's position: the entry that they last went to, or a position at or between articles (`1.5` is between 1 and
 * 2).
 */
export interface ReadingPosition {
  readonly position: number;
  readonly entryId?: string;
}

/** The location of a match within an article. */
export interface MatchLocation {
  /** The `data-find` key of the text, unique within the article. */
  readonly key: string;
  /** The number of the match within that text, from 0. */
  readonly nth: number;
  /** Keys of the folds to open, outermost first. */
  readonly folds: readonly string[];
  /** The surroundings of the match, if the text is sent without its middle. */
  readonly excerpt?: Excerpt;
}

/** A piece of a text. `from` is in UTF-16 units of the whole text. */
export interface Excerpt {
  readonly from: number;
  readonly text: string;
  /** The number of the match within the piece, from 0. */
  readonly nth: number;
}
