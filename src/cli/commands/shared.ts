/** Parts that several commands share. */
import { defined } from '../../core/index';
import type { SessionLimits } from '../../memory/answers/listSessions';
import type { Located } from '../../memory/refs';
import { textOption, type Options } from '../command';
import { Refusal } from '../../memory/requestError';

/** Returns the options that limit sessions. */
export const limitsOf = (options: Options): SessionLimits =>
  defined({
    project: textOption(options, 'project'),
    program: textOption(options, 'program'),
    since: textOption(options, 'since'),
    until: textOption(options, 'until'),
  });

/** Returns the entry of a reference, by default the leaf. @throws {SessionError} `entry-required` for a session without entries */
export function pointOf({ session, entryId = session.leafId ?? undefined }: Located): { readonly path: string; readonly entryId: string } {
  if (entryId === undefined) throw new Refusal('This session has no entries.');
  return { path: session.path, entryId };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a time as `2026-11-29 08:36` in the local time zone; spaces of the same width if it isn't known. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return ' '.repeat('2026-11-29 08:36'.length);
  const date = new Date(iso);
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
