/** Describes a claim of a line, and how certain it is. */

/** `exact`: the edit wrote this line. `likely`: it has that line's text, but it was moved, reindented or restored, or equal lines are nearby. */
export type OriginCertainty = 'exact' | 'likely';

export interface LineClaim {
  readonly origin: number;
  readonly certainty: OriginCertainty;
}
