/** The smallest line-based edit that turns a text into another text. Pure. */

interface LineEdit {
  /** Lines from 0 and UTF-16 units. */
  readonly from: { readonly line: number; readonly character: number };
  readonly to: { readonly line: number; readonly character: number };
  readonly text: string;
}

/** @param eol the line break of the edited text. @returns `undefined` if the lines are the same */
export function restoreEdit(current: string, restored: string, eol: string): LineEdit | undefined {
  const [old, now] = [splitLines(current), splitLines(restored)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  if (start === old.length && start === now.length) return undefined;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const lines = now.slice(start, now.length - end);
  // Takes a line break with each line: the one after it, or at the end of the text the one before it.
  if (end > 0)
    return {
      from: { line: start, character: 0 },
      to: { line: old.length - end, character: 0 },
      text: lines.map((line) => line + eol).join(''),
    };
  const from = start > 0 ? { line: start - 1, character: old[start - 1]?.length ?? 0 } : { line: 0, character: 0 };
  const to = { line: old.length - 1, character: old.at(-1)?.length ?? 0 };
  return { from, to, text: start > 0 ? lines.map((line) => eol + line).join('') : lines.join(eol) };
}

const splitLines = (text: string): string[] => text.split(/\r\n|\n|\r/);
