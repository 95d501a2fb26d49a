/** The sessions that wrote some lines of a file, newest first, with the letters and colors of its annotations. */
import { NO_MESSAGES, type LineOrigin } from '../core/index';
import { localizeTitle } from '../ui/localize';
import { letterOf, sessionHexColors, sessionOrder } from './annotationText';
import { keyOf, readTurns, type TurnReaderDeps } from './turnReader';

export interface SessionOfLines {
  readonly path: string;
  /** The session's last message that wrote one of the lines. */
  readonly entryId: string;
  /** The time of that message, in milliseconds since 1970. */
  readonly time: number;
  readonly title: string;
  /** The number of the lines that it wrote. */
  readonly lines: number;
  /** The session's letter in the annotations of the file. */
  readonly letter: string;
  /** The session's color in the annotations, as `#rrggbb`, unless the theme has others. */
  readonly color: { readonly light: string; readonly dark: string };
}

/** @param origins the origins of the whole file; `from` and `to` are line numbers from 1 */
export async function sessionsOfLines(
  origins: readonly LineOrigin[],
  from: number,
  to: number,
  deps: TurnReaderDeps,
): Promise<readonly SessionOfLines[]> {
  const order = sessionOrder(origins);
  const found = new Map<string, { last: LineOrigin; lines: number }>();
  for (const origin of origins) {
    const lines = Math.min(origin.to, to) - Math.max(origin.from, from) + 1;
    if (lines <= 0) continue;
    const one = found.get(origin.path);
    found.set(origin.path, { last: one && one.last.time >= origin.time ? one.last : origin, lines: lines + (one?.lines ?? 0) });
  }
  const newest = [...found.values()].sort((a, b) => b.last.time - a.last.time);
  const lasts = newest.map(({ last }) => last);
  const turns = await readTurns(lasts, deps);
  return newest.map(({ last, lines }) => {
    const { path, entryId, time } = last;
    const place = order.get(path) ?? 0;
    const title = localizeTitle(turns.get(keyOf(last))?.title ?? NO_MESSAGES);
    return { path, entryId, time, title, lines, letter: letterOf(place), color: sessionHexColors(place) };
  });
}
