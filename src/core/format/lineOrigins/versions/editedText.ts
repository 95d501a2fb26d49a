/** The whole text after an edit, in the form of the one before, and parts of whole texts. */
import type { Steps } from '../../session/steps';
import type { FileEdit } from '../record/fileEdit';
import { applyEdit } from './applyEdit';
import { wholeText, withLines, type WholeText } from './wholeText';

type Made =
  /** `hadEnd`: the edit shows that the text before ended in a line break, which wasn't recorded. */
  | { readonly kind: 'applied'; readonly whole: WholeText; readonly isDoubtful: boolean; readonly hadEnd: boolean }
  | { readonly kind: 'missing' | 'unclear' };

export function* applyTo(whole: WholeText, edit: FileEdit): Steps<Made> {
  let made = yield* applyEdit(whole.plain, edit);
  const hadEnd = made.kind === 'missing' && whole.isFormOpen && !whole.plain.endsWith('\n');
  if (hadEnd) made = yield* applyEdit(`${whole.plain}\n`, edit);
  if (made.kind !== 'applied') return made;
  const formed = withLines(whole, made.text);
  const changed = formed ?? wholeText(made.text);
  const isFormOpen = changed.isFormOpen || made.isEndOpen;
  return { kind: 'applied', whole: { ...changed, isFormOpen }, isDoubtful: formed === undefined || isFormOpen, hadEnd };
}

/** Returns `applyTo` for several finders that are given the same edits in turn: the last result is kept. */
export function sharedApplyTo(): typeof applyTo {
  let last: { readonly whole: WholeText; readonly edit: FileEdit; readonly made: Made } | undefined;
  return function* (whole, edit) {
    const isSame = last?.edit === edit && last.whole.text === whole.text && last.whole.isFormOpen === whole.isFormOpen;
    if (!last || !isSame) last = { whole, edit, made: yield* applyTo(whole, edit) };
    return last.made;
  };
}

/** True if a text has some lines at a place; the last one may be cut off. */
export function hasLines(plain: string, part: string, from: number): boolean {
  let start = 0;
  for (let line = 0; line < from; line++) {
    start = plain.indexOf('\n', start) + 1;
    if (start === 0) return false;
  }
  // A notice may follow a part of a line break.
  const wanted = part.endsWith('\n') || part.endsWith('\r') ? part.slice(0, -1) : part;
  const next = plain.charAt(start + wanted.length);
  return plain.startsWith(wanted, start) && (next === '' || next === '\n');
}
