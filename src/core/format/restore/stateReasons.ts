/** The reasons why the state of a file isn't certain: each says which evidence is missing. */

export type StateReason =
  /** The text isn't recorded in all respects. */
  | 'record'
  /** Nothing shows that the file was still like that. */
  | 'later'
  /** A command ran in between. */
  | 'commands'
  /** No whole text is recorded. */
  | 'unrecorded'
  /** The recorded steps don't fit. */
  | 'contradicted'
  /** Nothing is recorded of the file until then. */
  | 'before';

const TEMPLATES: Readonly<Record<StateReason, string>> = {
  record: 'The recording doesn’t show every detail of this text, such as its line breaks.',
  later: 'Nothing recorded afterwards shows that the file was still like this.',
  commands: 'A command ran afterwards that may have changed this file.',
  unrecorded: 'No session or commit recorded the whole text of this file until then.',
  contradicted: 'The recorded changes don’t fit together: something else changed this file.',
  before: 'No session had written this file yet, and nothing shows whether it was there.',
};

/** The sentence in English. The editor translates it. */
export const stateReason = (reason: StateReason): string => TEMPLATES[reason];
