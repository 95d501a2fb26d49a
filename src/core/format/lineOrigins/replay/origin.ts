/** Origins of lines as numbers: the place of an edit among the events of a file, or a guess of one. */

/** The origin of lines that no edit wrote. */
export const NO_EDIT = -1;

/**
 * Returns the origin of a line that an edit may have written, although the record doesn't say which of several equal lines it
 * wrote. It's negative, so that it's never taken for certain.
 */
export const guess = (origin: number): number => (origin > NO_EDIT ? NO_EDIT - 1 - origin : origin);

/** Returns the edit that is certain or guessed; `NO_EDIT` if there is none. */
export const editOf = (origin: number): number => (origin < NO_EDIT ? NO_EDIT - 1 - origin : origin);
