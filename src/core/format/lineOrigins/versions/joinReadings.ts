/** Readings of parts of a file that together show all of it, if nothing is recorded to have changed it in between. */
import type { ShownText } from '../record/shownText';
import type { VersionEvent } from './foundVersion';

/** Makes a whole reading of the part that completes the text. The readings before it stay. */
export function joinReadings(events: readonly VersionEvent[]): VersionEvent[] {
  let parts: Part[] = [];
  return events.map((event, index): VersionEvent => {
    // A commit doesn't change the file.
    if (event.kind === 'commit') return event;
    if (event.kind !== 'reading' || event.shown.isWhole) {
      parts = [];
      return event;
    }
    const part = partOf(event.shown, index);
    if (!part) return event;
    parts = [...parts.filter(({ from }) => from !== part.from), part].slice(-MAX_PARTS);
    const joined = joinParts(parts);
    if (!joined) return event;
    parts = [];
    return { kind: 'reading', shown: { ...event.shown, text: joined.text, isWhole: true, from: 0 }, since: joined.since };
  });
}

/** Parts that are put together. */
const MAX_PARTS = 100;

interface Part {
  readonly from: number;
  /** The line after the last one; `undefined` if the part reaches the end of the file. */
  readonly end: number | undefined;
  readonly lines: readonly string[];
  readonly index: number;
}

function partOf({ text, from, lines: count, isEnd }: ShownText, index: number): Part | undefined {
  if (from === undefined) return undefined;
  const lines = text.split('\n');
  if (isEnd === true) return { from, end: undefined, lines, index };
  if (count === undefined || count < lines.length || count > MAX_LINES) return undefined;
  // The notice after a part takes the empty lines before it along.
  while (lines.length < count) lines.push('');
  return { from, end: from + count, lines, index };
}

const MAX_LINES = 1_000_000;

/** Puts parts together, from the first line of the file to its end. */
function joinParts(parts: readonly Part[]): { readonly text: string; readonly since: number } | undefined {
  if (parts.length < 2 || !parts.some(({ end }) => end === undefined)) return undefined;
  const lines: string[] = [];
  let since = Infinity;
  for (const { from, end, lines: own, index } of [...parts].sort((a, b) => a.from - b.from)) {
    if (from > lines.length) return undefined;
    const known = Math.min(own.length, lines.length - from);
    // Both show the same lines, unless the file changed in between.
    for (let at = 0; at < known; at++) if (own[at] !== lines[from + at]) return undefined;
    for (const line of own.slice(known)) lines.push(line);
    since = Math.min(since, index);
    if (end === undefined) return { text: lines.join('\n'), since };
  }
  return undefined;
}
