/** The reasons why the state of a file isn't certain: each says which evidence is missing. */

export type StateReason =
  | 'record'
  | 'later'
  | 'commands'
  | 'switched'
  | 'changed'
  | 'contradicted'
  | 'reversed'
  | 'before'
  | 'unwritten'
  | 'unrecorded'
  | 'unreadable';

const TEMPLATES: Readonly<Record<StateReason, string>> = {
  record: 'The recording doesn’t show every detail of this text, such as its line breaks or what was redacted.',
  later: 'Nothing recorded afterwards shows that the file was still like this.',
  commands: 'A command ran afterwards that may have changed this file.',
  switched: 'The conversation went on from an earlier entry, and the file may have been set back then.',
  changed: 'Something that isn’t recorded changed this file, before or after this point.',
  contradicted: 'The recorded edits don’t fit together: something that isn’t recorded changed this file in between.',
  reversed: 'No earlier text is recorded: this one is a later text without the edits that were made in between.',
  before: 'No session had written this file yet, and nothing recorded shows whether it was there.',
  unwritten: 'Nothing is recorded of this file until this point.',
  unrecorded: 'No session and no commit recorded the whole text of this file.',
  unreadable: 'The file on the disk can’t be read as text, so nothing shows whether it’s still like this.',
};

/** The sentence in English. The editor translates it. */
export const stateReason = (reason: StateReason): string => TEMPLATES[reason];
