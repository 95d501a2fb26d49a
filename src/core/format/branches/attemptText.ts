/** Sentences about the attempts at a fork, as plain text. */
import type { TranslateMessage } from '../entry/problem';
import { costText } from '../text/quantities/numberText';
import type { Attempt, Fork } from './attempts';

/** Says how an attempt ended, and of one that was left what failed and what it cost. */
export function attemptText(attempt: Attempt, translate: TranslateMessage, language: string): string {
  const { end, failures, cost } = attempt;
  const ending = endingText(attempt, translate);
  if (end === 'kept') return ending;
  const errors = failures === 1 ? translate('1 error', {}) : translate('{count} errors', { count: failures });
  return [ending, ...(failures === 0 ? [] : [errors]), ...(cost === 0 ? [] : [costText(cost, language)])].join(', ');
}

function endingText({ prompt, end }: Attempt, translate: TranslateMessage): string {
  switch (end) {
    case 'kept':
      return translate('“{prompt}” was kept', { prompt });
    case 'failed':
      return translate('“{prompt}” failed', { prompt });
    case 'interrupted':
      return translate('“{prompt}” was interrupted', { prompt });
    case 'unanswered':
      return translate('“{prompt}” has no answer', { prompt });
    case 'left':
      return translate('“{prompt}” was abandoned', { prompt });
  }
}

export const attemptsTitle = ({ attempts, more }: Fork, translate: TranslateMessage): string =>
  translate('{count} attempts:', { count: attempts.length + more });

/** Names the number of attempts that aren't listed; empty if all are. */
export const moreAttempts = ({ more }: Fork, translate: TranslateMessage): string =>
  more === 0 ? '' : translate('and {count} more', { count: more });
