/** Derives a diff from the arguments of an edit call, for results that have none. */

import { isArray, isObject } from '../../core/format/values/jsonValues';

/** Changes, and UTF-16 units of their texts, beyond which the arguments are shown instead. */
const MAX_EDITS = 1_000;
const MAX_TEXT = 1_000_000;
/** Unchanged lines kept around a change. */
const CONTEXT_LINES = 3;

/** Returns lines that begin with `-`, `+` or a space; `undefined` if the arguments contain no change. */
export function editDiff(args: unknown): string | undefined {
  if (!isObject(args)) return undefined;
  const edits = isArray(args['edits']) ? args['edits'] : [args];
  if (edits.length > MAX_EDITS) return undefined;
  let left = MAX_TEXT;
  const diffs = edits.map((edit) => {
    const diff = isObject(edit) && left > 0 ? replacement(edit) : undefined;
    left -= diff?.length ?? 0;
    return diff;
  });
  const found = diffs.filter((diff) => diff !== undefined);
  return found.length === 0 || found.length < diffs.length ? undefined : found.join('\n …\n');
}

function replacement(edit: Readonly<Record<string, unknown>>): string | undefined {
  const before = text(edit['oldText'] ?? edit['old_text'] ?? edit['old_string']);
  const after = text(edit['newText'] ?? edit['new_text'] ?? edit['new_string']);
  if (before === undefined || after === undefined || before === after) return undefined;
  if (before.length + after.length > MAX_TEXT) return undefined;
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shortest && oldLines[start] === newLines[start]) start++;
  let end = 0;
  while (end < shortest - start && oldLines[oldLines.length - 1 - end] === newLines[newLines.length - 1 - end]) end++;
  return [
    ...oldLines.slice(Math.max(0, start - CONTEXT_LINES), start).map((line) => ` ${line}`),
    ...oldLines.slice(start, oldLines.length - end).map((line) => `-${line}`),
    ...newLines.slice(start, newLines.length - end).map((line) => `+${line}`),
    ...oldLines.slice(oldLines.length - end, oldLines.length - end + CONTEXT_LINES).map((line) => ` ${line}`),
  ].join('\n');
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const linesOf = (value: string): string[] => (value === '' ? [] : value.replace(/\r?\n$/, '').split(/\r?\n/));
