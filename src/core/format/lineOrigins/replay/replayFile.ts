/** Replays all that is known about a file, from the text that it had before the first edit. */
import type { FileEdit, Hunk, Replacement } from '../record/fileEdit';
import { documentOf, MAX_LINES, spliced, type LineDocument, type Splice } from './lineDocument';
import { NO_EDIT } from './origin';
import { placeHunks } from './placeHunks';
import { placeReplacements } from './placeReplacements';
import type { LineTexts } from '../lineTexts';
import { limitedWork, type Work } from '../work';
import { MAX_EDIT_WORK, Replay, type FileEvent, type Replayed } from './replay';

/**
 * @param events in order of time
 * @param current the lines of the current text, from which the text before the first edit is found if nothing else has it
 */
export function* replaying(events: readonly FileEvent[], current: readonly number[] | undefined, texts: LineTexts): Work<Replayed> {
  const replay = new Replay(texts, yield* initialLines(events, current, texts));
  for (const event of events) yield* replay.adding(event);
  return yield* replay.result();
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
export function* initialLines(
  events: readonly FileEvent[],
  current: readonly number[] | undefined,
  texts: LineTexts,
): Work<readonly number[] | undefined> {
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
    const lines = yield* texts.numbering(event.kind === 'text' ? event.text : (event.edit.before ?? ''), MAX_LINES);
    return lines && (yield* textBefore(lines, edits, texts));
  }
  return edits.length > 0 && current ? yield* textBefore(current, edits, texts) : undefined;
}

/**
 * Returns the text that the file most likely had before the first edit, by undoing the edits from the current text. For
 * files whose earlier text is recorded nowhere.
 *
 * @param edits in order of time; none of them writes a whole text
 */
function* textBefore(current: readonly number[], edits: readonly FileEdit[], texts: LineTexts): Work<readonly number[]> {
  let document = documentOf(current);
  for (const { hunks, replacements, isCertain } of [...edits].reverse()) {
    if (!isCertain) continue;
    const inverse = replacements.map(({ before, after, all }) => ({ before: after, after: before, all }));
    yield document.lines.length;
    const splices = yield* limitedWork(placeInverse(document, inverse, hunks, texts), MAX_EDIT_WORK, undefined);
    if (splices) document = spliced(document, splices);
  }
  return document.lines;
}

function* placeInverse(
  document: LineDocument,
  inverse: readonly Replacement[],
  hunks: readonly Hunk[],
  texts: LineTexts,
): Work<Splice[] | undefined> {
  return (
    (inverse.length > 0 ? yield* placeReplacements(document, inverse, texts, NO_EDIT) : undefined) ??
    (hunks.length > 0 ? yield* placeHunks(document, hunks, texts, NO_EDIT, true) : undefined)
  );
}
