/** The words of a thread: its heading, and the comments in it. */
import * as vscode from 'vscode';
import type { KeptComment } from '../../core/index';
import type { ShownComment } from '../../ui/safe/commentThreads';
import type { FoundLines } from './commentPlaces';

interface ThreadState {
  readonly comment: KeptComment;
  /** Absent if the file no longer has the lines, or isn't open. */
  readonly place: FoundLines | undefined;
  /** Whom it would go to; absent while that isn't known. */
  readonly destination: string | undefined;
  /** True while its prompt waits. */
  readonly isWaiting: boolean;
  readonly nameOf: (path: string) => string;
}

/** Returns whether the lines differ from those that were sent. */
export function areLinesChanged({ sent, isOutdated }: KeptComment, place: FoundLines | undefined): boolean {
  const last = sent?.at(-1);
  return last !== undefined && (isOutdated === true || (place !== undefined && place.lines !== last.lines));
}

/** Returns the heading of a thread, in one line. */
export function threadLabel({ comment, place, destination, isWaiting, nameOf }: ThreadState): string {
  const { sent, answer, isOutdated } = comment;
  const last = sent?.at(-1);
  const outdated = vscode.l10n.t('Outdated: the file no longer has these lines.');
  if (!last) return isOutdated ? outdated : (destination ?? vscode.l10n.t('Finding out whom this goes to…'));
  const session = nameOf(last.path);
  if (isWaiting) return vscode.l10n.t('Waits until “{session}” is closed.', { session });
  const went = answer ? vscode.l10n.t('“{session}” answered.', { session }) : vscode.l10n.t('Sent to “{session}”.', { session });
  const changed = areLinesChanged(comment, place)
    ? isOutdated
      ? vscode.l10n.t('The lines are gone since.')
      : vscode.l10n.t('The lines changed since.')
    : answer
      ? vscode.l10n.t('The lines are the same.')
      : '';
  return `${went} ${changed}`.trim();
}

/** Returns the person's comment, and below it the beginning of the answer. */
export function threadComments({ comment, nameOf }: ThreadState): ShownComment[] {
  const { text, answer } = comment;
  return [
    { author: vscode.l10n.t({ message: 'You', comment: 'The author of a comment' }), text, isOwn: true },
    ...(answer ? [{ author: nameOf(answer.path), text: answer.text, isOwn: false }] : []),
  ];
}

/** Returns the flags of a thread, for the buttons on it. */
export const threadContext = ({ sent, answer, isResolved }: KeptComment): string =>
  [sent ? 'sent' : 'draft', ...(answer ? ['answered'] : []), ...(isResolved ? ['resolved'] : [])].join(' ');
