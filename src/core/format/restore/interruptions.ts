/** The times of a session in which files may have changed without a record: its commands, and where it went on from an earlier entry. */
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';
import { touchKindOfTool } from '../toolCalls/fileTouches';

/** Milliseconds since 1970, both ends included. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

export interface Interruptions {
  /** The times in which commands ran, which may have changed any file. */
  readonly commands: readonly TimeSpan[];
  /** The times in which the person went to another branch, or forked: files are often set back then. */
  readonly switches: readonly TimeSpan[];
}

/** Tools that change no file that isn't recorded. */
const HARMLESS_TOOLS = new Set(['grep', 'find', 'ls', 'search', 'glob', 'web_search', 'fetch', 'apply_patch']);
/** Entries above another one that are compared with the one before it. */
const MAX_ABOVE = 32;

export function interruptionsOf({ entries, byId, header }: Session): Interruptions {
  const commands: TimeSpan[] = [];
  const switches: TimeSpan[] = [];
  let last: EntryHead | undefined;
  let asked = -Infinity;
  for (const head of entries) {
    if (head.role === undefined) continue;
    const time = timeOf(head);
    if (head.role === 'assistant') asked = time;
    if (isCommand(head)) commands.push({ start: Math.min(time, head.role === 'toolResult' ? asked : (last?.time ?? time)), end: time });
    // A call without a result was interrupted, and may have run.
    if (last?.role === 'assistant' && last.stopReason === 'toolUse' && head.role !== 'toolResult')
      commands.push({ start: timeOf(last), end: Math.max(time, timeOf(last)) });
    if (last && !isBelow(head, last, byId)) switches.push({ start: timeOf(last), end: Math.max(time, timeOf(last)) });
    last = head;
  }
  const forked = Date.parse(header.timestamp);
  const first = header.parentSession === undefined ? undefined : entries.find((head) => timeOf(head) >= forked);
  if (first) switches.push({ start: forked, end: timeOf(first) });
  return { commands: unitedSpans(commands), switches: unitedSpans(switches) };
}

const timeOf = (head: EntryHead): number => head.messageTime ?? head.time;

function isCommand({ role, toolName }: EntryHead): boolean {
  if (role === 'bashExecution' || role === 'pythonExecution') return true;
  if (role !== 'toolResult' || toolName === undefined) return false;
  return touchKindOfTool(toolName) === undefined && !HARMLESS_TOOLS.has(toolName.toLowerCase());
}

/** True if an entry is below the one before it, with only a few entries in between. */
function isBelow(head: EntryHead, last: EntryHead, byId: ReadonlyMap<string, EntryHead>): boolean {
  let parent = head.parentId;
  for (let above = 0; parent !== null && above < MAX_ABOVE; above++) {
    if (parent === last.id) return true;
    const one = byId.get(parent);
    if (!one || one.line < last.line) return false;
    parent = one.parentId;
  }
  return false;
}

/** Joins spans that overlap, and sorts them. */
export function unitedSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const united: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const before = united.at(-1);
    if (before && start <= before.end) before.end = Math.max(before.end, end);
    else united.push({ start, end });
  }
  return united;
}

/** True if one of the united spans has a part at or after `since` that begins at or before `until`. */
export function overlaps(spans: readonly TimeSpan[], since: number, until: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  const found = spans[low];
  return found !== undefined && found.start <= until;
}
