/** Checks the shape of a plan, which a caller may have stored or made up. */
import { isListOf, isNullOr, isNumber, isObjectOf, isOneOf, isOptional, isText, type Check } from '../values/checks';
import type { PlannedFile, PlannedState, RestoreAction, RestorePlan } from './restorePlan';

const ACTIONS: readonly RestoreAction[] = ['write', 'create', 'delete', 'merge', 'none', 'conflict', 'left'];

export const isHash: Check<string> = (value): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

export const isMode: Check<number> = (value): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0o777;

export const isPlannedState = isObjectOf<PlannedState>({ sha256: isHash, mode: isMode });

const hasMembers = isObjectOf<PlannedFile>({
  file: isText,
  action: isOneOf(ACTIONS),
  certainty: isOneOf<PlannedFile['certainty']>(['exact', 'likely', 'unknown']),
  text: isOptional(isText),
  was: isNullOr(isPlannedState),
  reason: isOptional(isText),
});

const isPlannedFile: Check<PlannedFile> = (value): value is PlannedFile => hasMembers(value) && isPossible(value);

/** Checks that there is a text for a file that is written, that a new file replaces none, and that a deleted one is there. */
function isPossible({ action, text, was }: PlannedFile): boolean {
  switch (action) {
    case 'write':
    case 'merge':
      return isEncodable(text) && was !== null;
    case 'create':
      return isEncodable(text) && was === null;
    case 'delete':
      return was !== null;
    case 'none':
    case 'conflict':
    case 'left':
      return true;
  }
}

/** True for a text that UTF-8 can encode: one without half of a character. */
export const isEncodable = (text: string | undefined): boolean => text !== undefined && !/\p{Surrogate}/u.test(text);

/** True for plain data that `applyRestore` can carry out, as far as its shape tells. */
export const isRestorePlan: Check<RestorePlan> = isObjectOf<RestorePlan>({
  ref: isObjectOf<RestorePlan['ref']>({ path: isText, entryId: isText }),
  folder: isText,
  time: isNumber,
  files: isListOf(isPlannedFile),
});
