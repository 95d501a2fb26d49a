/** Finds the text that a file had before some edits, from a later whole text: the edits are taken back, the last one first. */
import type { Steps } from '../../session/steps';
import type { FileEdit, HunkLine } from '../record/fileEdit';
import { elementAt } from '../../values/lookups';
import { applyEdit } from './applyEdit';
import type { VersionEvent, VersionGuess } from './foundVersion';
import { wholeText, withLines, type WholeText } from './wholeText';

export interface EarlierText extends VersionGuess {
  /** The index of the event that shows the later text; the number of events if the disk does. */
  readonly shownBy: number;
}

/**
 * Returns the state after the event at a place, -1 for the one before all events. Nothing proves it: others may have changed
 * the file in between.
 *
 * @param current the text on the disk, the last whole text there is
 */
export function* textBefore(events: readonly VersionEvent[], at: number, current: WholeText | undefined): Steps<EarlierText | undefined> {
  const edits: FileEdit[] = [];
  let later = current;
  let shownBy = at + 1;
  for (; shownBy < events.length; shownBy++) {
    const event = elementAt(events, shownBy);
    const found = laterState(event, edits.length > 0);
    if (found === 'lost') return undefined;
    if (found === 'absent') return { text: '', isAbsent: true, shownBy };
    if (found) {
      later = found;
      break;
    }
    if (event.kind === 'edit') edits.push(event.edit);
  }
  for (const edit of edits.reverse()) later = later && (yield* takeBack(later, edit));
  return later && { text: later.text, isAbsent: false, shownBy };
}

/** The whole state that an event shows of the moment before it; `lost` if nothing before can be found through it. */
function laterState(event: VersionEvent, isEdited: boolean): WholeText | 'absent' | 'lost' | undefined {
  switch (event.kind) {
    case 'missing':
      return isEdited ? 'lost' : 'absent';
    case 'commit':
      return event.text === undefined ? 'lost' : wholeText(event.text);
    case 'reading':
      return event.shown.isWhole ? wholeText(event.shown.text, !event.shown.isEndRecorded) : undefined;
    case 'edit': {
      const { before, text, isDeletion, isCertain, replacements, hunks, movedTo } = event.edit;
      if (before !== undefined) return wholeText(before);
      const isLost = text !== undefined || isDeletion === true || event.isAway || !isCertain;
      return isLost || replacements.length + hunks.length + (movedTo ?? '').length === 0 ? 'lost' : undefined;
    }
  }
}

/** Returns the text that an edit found; `undefined` unless it's clear where the edit left its lines. */
function* takeBack(after: WholeText, edit: FileEdit): Steps<WholeText | undefined> {
  const { hunks, replacements } = edit;
  const inverse: FileEdit = {
    ...edit,
    hunks: hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(({ sign, text }) => ({ sign: INVERSE[sign], text })) })),
    replacements: hunks.length > 0 ? [] : replacements.map((one) => ({ before: one.after, after: one.before, all: one.all })).reverse(),
  };
  const found = yield* applyEdit(after.plain, inverse);
  if (found.kind !== 'applied') return undefined;
  const again = yield* applyEdit(found.text, edit);
  if (again.kind === 'missing' || (again.kind === 'applied' && again.text !== after.plain)) return undefined;
  return withLines(after, found.text) ?? wholeText(found.text);
}

const INVERSE: Readonly<Record<HunkLine['sign'], HunkLine['sign']>> = { ' ': ' ', '-': '+', '+': '-' };
