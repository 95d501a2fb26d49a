/** Finds the entries that contain all words of a query, anywhere in their text, calls and labels. */
import type { Entry } from '../../../core/format/entry/entry';
import { isArray, isObject } from '../../../core/format/values/jsonValues';
import { entryPlainText } from '../../../core/format/entry/entryPlainText';
import type { EntryHead } from '../../../core/format/entry/entryHead';
import type { TextSession } from '../../../core/format/session/read/textSession';
import { jsonText } from '../../../core/format/text/jsonText';

/** Milliseconds of work between two pauses. */
const SLICE = 12;

/** @returns `undefined` if `isCurrent` returned false in between. */
export async function searchEntries(
  { session, body }: TextSession,
  query: string,
  pause: () => Promise<void>,
  isCurrent: () => boolean,
): Promise<ReadonlySet<string> | undefined> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = new Set<string>();
  let since = performance.now();
  for (const head of session.entries) {
    if (performance.now() - since > SLICE) {
      await pause();
      if (!isCurrent()) return undefined;
      since = performance.now();
    }
    const text = searchText(head, body(head.id), session.labels.get(head.id)).toLowerCase();
    if (words.every((word) => text.includes(word))) found.add(head.id);
  }
  return found;
}

function searchText(head: EntryHead, entry: Entry, label = ''): string {
  const content = entry.type === 'message' && entry.message.role === 'assistant' ? entry.message.content : [];
  const unchecked: unknown = content;
  const blocks = isArray(unchecked) ? unchecked.filter(isObject) : [];
  const rest = blocks.map(({ type, thinking, name, arguments: args }) =>
    type === 'thinking' ? String(thinking) : type === 'toolCall' ? `${String(name)} ${jsonText(args)}` : '',
  );
  return [label, head.text, entryPlainText(entry), ...rest].join('\n');
}
