/** Lines with their origins, kept in step with typing until the origins are found again. Pure. */
import type { LineOrigin } from '../core/index';

/** The origin of each line, from 0. */
export type AnnotatedLines = readonly (LineOrigin | undefined)[];

/** A change of a document, as the editor reports it. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

export function annotatedLines(origins: readonly LineOrigin[], lineCount: number): AnnotatedLines {
  const lines = Array<LineOrigin | undefined>(lineCount).fill(undefined);
  for (const origin of origins) lines.fill(origin, origin.from - 1, origin.to);
  return lines;
}

/**
 * Returns the lines after changes, all of which refer to the text before. Changed and new lines have no origin. A line break
 * at the end of a line, or before it, doesn't change the line.
 *
 * @param lineLength the length of a line after the changes
 */
export function applyChanges(lines: AnnotatedLines, changes: readonly TextChange[], lineLength: (line: number) => number): AnnotatedLines {
  const changed = [...lines];
  const isOnly = changes.length === 1;
  // From the end, so that the places of the remaining changes stay valid.
  const fromEnd = [...changes].sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
  for (const { range, text } of fromEnd) {
    const { start, end } = range;
    const inserted = text.split(/\r\n|\n|\r/);
    const added = Array<LineOrigin | undefined>(inserted.length).fill(undefined);
    const last = inserted.at(-1) ?? '';
    if (start.character === 0 && end.character === 0 && last === '') added[added.length - 1] = lines[end.line];
    else if (isOnly && start.line === end.line && start.character === end.character && inserted.length > 1 && inserted[0] === '')
      // The text after the place is now after the inserted text.
      if (lineLength(start.line + inserted.length - 1) === last.length) added[0] = lines[start.line];
    changed.splice(start.line, end.line - start.line + 1, ...added);
  }
  return changed;
}
