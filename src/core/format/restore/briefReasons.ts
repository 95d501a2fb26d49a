/** A few words for each reason why a file isn't certain or is left, for rows that have no room for the sentence. */
import { leftReason } from './leftReasons';
import { stateReason } from './stateReasons';

const TEMPLATES: Readonly<Record<string, string>> = {
  [stateReason('record')]: 'partly recorded',
  [stateReason('later')]: 'unconfirmed',
  [stateReason('commands')]: 'a command ran',
  [stateReason('switched')]: 'went back since',
  [stateReason('changed')]: 'changed elsewhere',
  [stateReason('contradicted')]: 'changed elsewhere',
  [stateReason('reversed')]: 'from a later text',
  [stateReason('before')]: 'may not have existed',
  [stateReason('unwritten')]: 'not recorded',
  [stateReason('unrecorded')]: 'not recorded',
  [stateReason('unreadable')]: 'can’t be read',
  [leftReason('overlap')]: 'same lines changed',
  [leftReason('noBase')]: 'changed elsewhere',
  [leftReason('changedNewFile')]: 'changed elsewhere',
  [leftReason('tooMuch')]: 'changed elsewhere',
  [leftReason('notEncoded')]: 'not text',
  [leftReason('notText')]: 'not text',
  [leftReason('notRegular')]: 'not text',
  [leftReason('unreadable')]: 'can’t be read',
  [leftReason('outside')]: 'outside the folder',
  [leftReason('wayThere')]: 'outside the folder',
  [leftReason('git')]: 'protected',
  [leftReason('kept')]: 'protected',
  [leftReason('changed')]: 'changed elsewhere',
};

/** The words for a reason's English sentence in English, which the editor translates; a sentence without words stays as it is. */
export const briefReason = (sentence: string): string => (Object.hasOwn(TEMPLATES, sentence) && TEMPLATES[sentence]) || sentence;
