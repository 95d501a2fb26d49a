/** Finds the place of an edit in a text, as it's recorded: its difference, or the texts that it replaced. */
import { elementAt } from '../../values/lookups';
import { aligning } from '../alignLines';
import { linesOf, type LineTexts } from '../lineTexts';
import type { FileEdit, Hunk, HunkLine, Replacement } from '../record/fileEdit';
import { MAX_LINES, spliced, type LineDocument, type Splice } from './lineDocument';
import { ALIGNED, type Work } from '../work';
import { placeHunks } from './placeHunks';
import { placeReplacements } from './placeReplacements';

/** Returns the changes, or `undefined` if the text isn't the one that the edit found. */
export function placeEdit(state: LineDocument, edit: FileEdit, texts: LineTexts, origin: number): Work<Splice[] | undefined> {
  // A difference locates the change better than the replaced texts do.
  return edit.hunks.length > 0 ? placeHunks(state, edit.hunks, texts, origin) : placeTexts(state, edit, texts, origin);
}

/** Like `placeEdit`, by the replaced texts alone. */
export function* placeTexts(state: LineDocument, { replacements }: FileEdit, texts: LineTexts, origin: number): Work<Splice[] | undefined> {
  const found = replacements.length > 0 ? yield* placeReplacements(state, replacements, texts, origin) : undefined;
  return found ?? (yield* placeInTurn(state, replacements, texts, origin));
}

/** Some tools look for each text in the result of the previous replacements. */
function* placeInTurn(
  state: LineDocument,
  replacements: readonly Replacement[],
  texts: LineTexts,
  origin: number,
): Work<Splice[] | undefined> {
  if (replacements.length < 2) return undefined;
  let document = state;
  for (const replacement of replacements) {
    const splices = yield* placeReplacements(document, [replacement], texts, origin);
    if (!splices) return undefined;
    yield document.lines.length + splices.length * ALIGNED;
    document = spliced(document, splices);
  }
  return [{ from: 0, to: state.lines.length, lines: document.lines, origins: document.origins }];
}

/** Returns the difference of an edit; of whole lines that it replaced, a difference without a place. */
export function* hunksOf({ hunks, replacements }: FileEdit, texts: LineTexts): Work<readonly Hunk[]> {
  if (hunks.length > 0) return hunks;
  const found: Hunk[] = [];
  for (const one of replacements) {
    const hunk = yield* hunkOf(one, texts);
    if (hunk) found.push(hunk);
  }
  return found;
}

/** The replacement of whole lines as a difference; its place isn't recorded. */
function* hunkOf({ before, after }: Replacement, texts: LineTexts): Work<Hunk | undefined> {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length < 2 || old.length + now.length > MAX_LINES) return undefined;
  yield (old.length + now.length) * ALIGNED;
  const { places } = yield* aligning(texts.numbersOf(old), texts.numbersOf(now), texts);
  const lines: HunkLine[] = [];
  let at = 0;
  for (const [index, text] of now.entries()) {
    const place = places[index]!;
    for (; at < place; at++) lines.push({ sign: '-', text: elementAt(old, at) });
    lines.push({ sign: place >= 0 ? ' ' : '+', text });
    if (place >= 0) at++;
  }
  for (; at < old.length; at++) lines.push({ sign: '-', text: elementAt(old, at) });
  return { lines };
}
