/** An entry's row as prose, for reading. */
import { oneLine } from '../text/oneLine';
import { plainLine } from '../text/plainLine';
import type { EntryHead } from './entryHead';
import type { TranslateMessage } from './problem';
import { providerErrorText } from './providerError';
import { isWrapperRow, userRowText } from './rowText';

/** The length of rows, in UTF-16 units; longer ones are cut. */
const MAX_LENGTH = 400;
const ASSISTANT = 'assistant: ';
/** Stands for a message of images only, or of nothing, as in the rows of answers. An empty row looks like an error of the list. */
const NO_CONTENT = '(no content)';

type Row = Pick<EntryHead, 'type' | 'role' | 'text'>;

/** Returns the text of an entry's row without its role: messages without the marks of Markdown, and calls, commands and notes as they are. */
export function plainRow({ type, role, text }: Row, length = MAX_LENGTH): string {
  switch (role) {
    case 'user':
      return isWrapperRow(text) ? `[${userRowText(text)}]` : plainLine(userRowText(text), length) || NO_CONTENT;
    case 'assistant': {
      const answer = text.startsWith(ASSISTANT) ? text.slice(ASSISTANT.length) : text;
      return plainLine(providerErrorText(answer) ?? answer, length);
    }
    default:
      return MARKDOWN_TYPES.has(type) ? plainLine(text, length) : oneLine(text, length);
  }
}

/** Returns the same with the role of a person's or a model's message before it, for lists in which no icon shows it. */
export function plainRowWithRole(row: Row, translate: TranslateMessage, length = MAX_LENGTH): string {
  const plain = plainRow(row, length);
  if (row.role === 'assistant') return `${translate('assistant', {})}: ${plain}`;
  return row.role === 'user' && !isWrapperRow(row.text) ? `${translate('user', {})}: ${plain}` : plain;
}

/** Types of entries whose rows contain a text in Markdown. */
const MARKDOWN_TYPES: ReadonlySet<string> = new Set(['custom_message', 'branch_summary']);
