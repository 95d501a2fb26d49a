/** The lines above the first message after a fork: the attempts that began there, and how each ended. */
import { branchForks, type BranchForks, type Fork } from '../../core/format/branches/attempts';
import { attemptsTitle, attemptText, moreAttempts } from '../../core/format/branches/attemptText';
import type { Steps } from '../../core/format/session/steps';
import type { AttemptsLine } from '../shared/protocol';
import { language, translate } from '../shared/localization';
import type { ContextSnapshot, PlannedGroup } from '../snapshot/contextSnapshot';

/** Prepared for the first article of a snapshot. */
const prepared = new WeakMap<ContextSnapshot, BranchForks>();

/** Returns the lines of an article; `undefined` if it doesn't follow a fork. */
export function* attemptsBefore(snapshot: ContextSnapshot, { from, to }: PlannedGroup): Steps<readonly AttemptsLine[] | undefined> {
  let forks = prepared.get(snapshot);
  if (!forks) prepared.set(snapshot, (forks = yield* branchForks(snapshot.session, snapshot.places)));
  const lines: AttemptsLine[] = [];
  // The system prompt at the top may have been recorded further down.
  for (const { entryId, promptIds } of snapshot.slots.slice(from, to))
    if (!promptIds) for (const fork of yield* forks.before(entryId)) lines.push(lineOf(fork));
  return lines.length === 0 ? undefined : lines;
}

const lineOf = (fork: Fork): AttemptsLine => ({
  title: attemptsTitle(fork, translate),
  attempts: fork.attempts.map((attempt) => ({
    text: attemptText(attempt, translate, language()),
    ...(attempt.isOwn ? {} : { tipId: attempt.tipId }),
  })),
  more: moreAttempts(fork, translate),
});
