/** Replays all that is known about a file, from the text that it had before the first edit. */
import type { FileEdit } from '../record/fileEdit';
import { documentOf, MAX_LINES, spliced } from './lineDocument';
import { NO_EDIT } from './origin';
import { placeHunks } from './placeHunks';
import { placeReplacements } from './placeReplacements';
import type { LineTexts } from '../lineTexts';
import { Replay, type FileEvent, type Replayed } from './replay';

/**
 * @param events in order of time
 * @param current the lines of the current text, from which the text before the first edit is found if nothing else has it
 * @param pause called between events
 */
export async function replayFile(
  events: readonly FileEvent[],
  current: readonly number[] | undefined,
  texts: LineTexts,
  pause?: () => Promise<void>,
): Promise<Replayed> {
  const replay = new Replay(texts, initialLines(events, current, texts));
  for (const event of events) {
    replay.add(event);
    await pause?.();
  }
  return replay.result();
}

/** True if the text before the first edit is known only from the current text, so that a replay depends on it. */
export function needsCurrentText(events: readonly FileEvent[]): boolean {
  let hasEdits = false;
  for (const event of events) {
    if (event.kind === 'text' && !event.isWhole) continue;
    if (event.kind === 'text' || event.edit.before !== undefined || event.edit.text !== undefined || event.edit.isDeletion === true)
      return false;
    hasEdits = true;
  }
  return hasEdits;
}

/** Returns the lines of the text before the first event, if it follows from the first whole text that is known. */
export function initialLines(
  events: readonly FileEvent[],
  current: readonly number[] | undefined,
  texts: LineTexts,
): readonly number[] | undefined {
  const edits: FileEdit[] = [];
  for (const event of events) {
    if (event.kind === 'edit' && event.edit.before === undefined) {
      // A whole text doesn't show the text before it.
      if (event.edit.text !== undefined || event.edit.isDeletion === true) return undefined;
      edits.push(event.edit);
      continue;
    }
    if (event.kind === 'text' && !event.isWhole) continue;
    if (edits.length === 0) return undefined;
    const lines = texts.numbersIn(event.kind === 'text' ? event.text : (event.edit.before ?? ''), MAX_LINES);
    return lines && textBefore(lines, edits, texts);
  }
  return edits.length > 0 && current ? textBefore(current, edits, texts) : undefined;
}

/**
 * Returns the text that the file most likely had before the first edit, by undoing the edits from the current text. For
 * files whose earlier text is recorded nowhere.
 *
 * @param edits in order of time; none of them writes a whole text
 */
function textBefore(current: readonly number[], edits: readonly FileEdit[], texts: LineTexts): readonly number[] {
  let document = documentOf(current);
  for (const { hunks, replacements, isCertain } of [...edits].reverse()) {
    if (!isCertain) continue;
    const inverse = replacements.map(({ before, after, all }) => ({ before: after, after: before, all }));
    const splices =
      (inverse.length > 0 ? placeReplacements(document, inverse, texts, NO_EDIT) : undefined) ??
      (hunks.length > 0 ? placeHunks(document, hunks, texts, NO_EDIT, true) : undefined);
    if (splices) document = spliced(document, splices);
  }
  return document.lines;
}
