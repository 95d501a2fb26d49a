/** How a wrapper around what a person says is recognized. */

export interface WrapperRule {
  /** The texts that `start` may begin with. Compared first, because the first use of an expression compiles it. */
  readonly begins: readonly [string, ...string[]];
  /** Matches the beginning of a wrapper. The group `name` has its name. */
  readonly start: RegExp;
  /** Matches the end; without it, the wrapper ends where `start` does. A wrapper without its end isn't one. */
  readonly end?: RegExp;
  /** Matches the beginning of a wrapper of the same kind within this one. Its end isn't the end of this one. */
  readonly inner?: RegExp;
  /** The name, if it's always the same and not in the text. */
  readonly as?: string;
  /** A job's name stands for the whole message, because its text was written once and long before. */
  readonly isJob?: true;
  /** The person called the wrapper by its name. */
  readonly isCall?: true;
}

/** A note at the end of a message. */
export interface TrailingNote {
  /** A part of each such note. Looked for first, as with `WrapperRule.begins`. */
  readonly part: string;
  /** Matches the note. Ends at the end of the text. */
  readonly note: RegExp;
}
