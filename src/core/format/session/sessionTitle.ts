/** The title of a session: what lists, headers and documents call it. Pure. */
import { isWrapperRow, userRowText } from '../entry/rowText';
import type { EntryHead } from '../entry/entryHead';
import { oneLine } from '../text/oneLine';
import { HEARTBEAT } from '../text/wrappers/userWrappers';
import { withoutIcon } from '../text/withoutIcon';

/** Stands for the first message and the title of a session without messages, as in pi's `SessionInfo`. */
export const NO_MESSAGES = '(no messages)';
/** Stands for the title of a session whose messages have no text. */
export const NO_PROMPT = '(no prompt)';

/** UTF-16 units of a title; longer names are cut. */
const MAX_TITLE_LENGTH = 1000;

/** The first words in a session. */
export interface FirstWords {
  /** The text of the first message of a person that isn't only wrappers. */
  readonly said?: string;
  /** The name of the wrapper, if the first message consists of wrappers only. */
  readonly wrapper?: string;
  /** The text of the first answer. */
  readonly answer?: string;
  /** Set once there is a message, also one without text. */
  readonly hasMessages?: true;
}

/** Returns true for a role whose next message that has text adds to the words. */
export const addsWords = ({ said, answer }: FirstWords, role: string | undefined): boolean =>
  said === undefined && (role === 'user' || (role === 'assistant' && answer === undefined));

/** Adds the next message that has text. @param row the text of its row */
export function addFirstWords(words: FirstWords, role: string | undefined, row: string): FirstWords {
  if (!addsWords(words, role)) return words;
  if (role !== 'user') return { ...words, answer: row.slice('assistant: '.length), hasMessages: true };
  const text = userRowText(row);
  if (!isWrapperRow(row)) return { ...words, said: text, hasMessages: true };
  return { ...words, wrapper: words.wrapper ?? text, hasMessages: true };
}

/** Returns the first words among entries. */
export function firstWords(entries: Iterable<EntryHead>): FirstWords {
  let words: FirstWords = {};
  for (const head of entries) {
    if (head.type === 'message') words = withMessage(words);
    if (head.hasText && addsWords(words, head.role)) words = addFirstWords(words, head.role, head.text);
    if (words.said !== undefined) break;
  }
  return words;
}

/** Adds a message, whatever it says. */
export const withMessage = (words: FirstWords): FirstWords => (words.hasMessages ? words : { ...words, hasMessages: true });

/** Returns the title: one line without control characters, of a bounded length. FORMAT section 5. */
export function sessionTitle(name: string | undefined, words: FirstWords): string {
  const named = titleLine(withoutIcon(name ?? ''));
  return named === '' ? (titleOfWords(words) ?? (words.hasMessages ? NO_PROMPT : NO_MESSAGES)) : named;
}

/** Returns the name, otherwise the first words; `undefined` if there is no text. */
export function titleOrNothing(name: string | undefined, entries: Iterable<EntryHead>): string | undefined {
  return titleLine(withoutIcon(name ?? '')) || titleOfWords(firstWords(entries));
}

/** Returns the title of a session without a name; `undefined` if nothing in it has text. */
function titleOfWords({ said, wrapper, answer }: FirstWords): string | undefined {
  // An answer says more than the name of a wrapper, except that nobody asked for it.
  const texts = wrapper === HEARTBEAT ? [said, wrapper] : [said, answer, wrapper];
  return texts.map((text) => titleLine(text ?? '')).find((line) => line !== '');
}

const titleLine = (text: string): string => oneLine(text, MAX_TITLE_LENGTH);
