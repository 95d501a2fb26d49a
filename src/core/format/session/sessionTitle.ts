/** The title of a session: what lists, headers and documents call it. Pure. */
import { isWrapperRow, userRowText } from '../entry/rowText';
import type { EntryHead } from '../entry/entryHead';
import { oneLine } from '../text/oneLine';

/** Stands for the first message and the title of a session without messages, as in pi's `SessionInfo`. */
export const NO_MESSAGES = '(no messages)';

/** UTF-16 units of a title; longer names are cut. */
const MAX_TITLE_LENGTH = 1000;

/** The first words of a person in a session. */
export interface FirstWords {
  /** The text of the first message that isn't only wrappers. */
  readonly said?: string;
  /** The name of the wrapper, if the first message consists of wrappers only. */
  readonly wrapper?: string;
}

/** Adds the next user message that has text. @param row the text of its row */
export function addFirstWords(words: FirstWords, row: string): FirstWords {
  if (words.said !== undefined) return words;
  const text = userRowText(row);
  if (!isWrapperRow(row)) return { ...words, said: text };
  return words.wrapper === undefined ? { ...words, wrapper: text } : words;
}

/** Returns the first words among entries. */
export function firstWords(entries: Iterable<EntryHead>): FirstWords {
  let words: FirstWords = {};
  for (const head of entries) {
    if (head.role === 'user' && head.hasText) words = addFirstWords(words, head.text);
    if (words.said !== undefined) break;
  }
  return words;
}

/** Returns the title: one line without control characters, of a bounded length. FORMAT section 5. */
export function sessionTitle(name: string | undefined, { said, wrapper }: FirstWords): string {
  return [name, said, wrapper].map((text) => titleLine(text ?? '')).find((line) => line !== '') ?? NO_MESSAGES;
}

const titleLine = (text: string): string => oneLine(text, MAX_TITLE_LENGTH);
