/** The text of an entry's row. Its icon says who speaks and which tool ran, so that the row's few words can say more. Pure. */
import { plainRow, type EntryHead } from '../../core/index';

/** Paths are shortened to this many UTF-16 units, so that their file's name is visible in a side bar of 300 pixels. */
const MAX_PATH_LENGTH = 28;

/** Returns the row's text as prose: without its role, and with shorter paths. Accessible names and tooltips have the role and the whole paths. */
export const entryRowText = (head: Pick<EntryHead, 'type' | 'role' | 'text'>): string =>
  head.role === 'toolResult' ? shortenCallPath(head.text) : plainRow(head);

/** Shortens the path of a call that has one: the rows of `read`, `write`, `edit`, `ls` and searches end with it. */
function shortenCallPath(text: string): string {
  const [, before, path] = /^(\[(?:read|write|edit|ls): |\[(?:grep|find): .* in )(.+)\]$/s.exec(text) ?? [];
  return before === undefined || path === undefined ? text : `${before}${shortenPath(path, MAX_PATH_LENGTH)}]`;
}

/**
 * Leaves out folders in the middle of a path: `src/…/checkout.test.ts`. The file's name stays whole, even if it is longer
 * than `length`, and so does the first folder if there is room for it.
 */
export function shortenPath(path: string, length: number): string {
  if (path.length <= length) return path;
  const parts = path.split(/(?<=[/\\])/);
  const name = parts.pop() ?? '';
  const [first = ''] = parts;
  const gap = `…${/\\$/.test(first) ? '\\' : '/'}`;
  if (parts.length < 2 || first.length + gap.length + name.length > length) return parts.length === 0 ? path : gap + name;
  let end = name;
  for (const folder of parts.slice(1).reverse()) {
    if (first.length + gap.length + folder.length + end.length > length) break;
    end = folder + end;
  }
  return first + gap + end;
}
