/** The common interface of converters of other programs' sessions: lines go in, entries of format 3 come out, in order. */
import type { JsonObject } from '../values/jsonValues';
import { newEntryId, type Stamp } from '../write/sessionNames';
import type { OmissionList } from './omissions';

/** Facts about the whole session; complete after `end`. */
export interface ForeignFacts {
  readonly sessionId?: string;
  /** The ID of the session that it was forked from, or that began it as a subagent. */
  readonly parentSession?: string;
  /** The folder as the session names it, on whichever machine that was. */
  readonly cwd?: string;
  /** ISO 8601. */
  readonly start?: string;
  readonly name?: string;
}

/** Converts a session line by line. Memory grows with the number of lines, not with their size. */
export interface Converter {
  /** Returns the entries that are complete now. Parents come before their children. @param line from 1 @param size in UTF-16 units */
  add(value: JsonObject, line: number, size?: number): readonly JsonObject[];
  /** Returns the last entries. Called once, at the end of the file. */
  end(): readonly JsonObject[];
  readonly facts: ForeignFacts;
  /** The entry at which the session continues; known after `end`. */
  readonly leafId: string | null;
}

/** The parts that a converter is made of. */
export interface ConverterTools {
  readonly stamp: Stamp;
  readonly omissions: OmissionList;
  /** The ids that were given. */
  readonly ids: EntryIds;
}

/** Ids of new entries: the program's own where they can be used. */
export class EntryIds {
  private readonly taken = new Set<string>();

  constructor(private readonly stamp: Stamp) {}

  /** @param wanted an id of the other program; used if it's of a usual form and free */
  take(wanted?: unknown): string {
    const isFree = typeof wanted === 'string' && /^[\w-]{1,64}$/.test(wanted) && !this.taken.has(wanted);
    const id = isFree ? wanted : newEntryId(this.stamp, this.taken);
    this.taken.add(id);
    return id;
  }
}

/** Returns a time as ISO 8601; `undefined` for anything else. No other part of the text is kept. */
export function isoTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(time) ? new Date(time).toISOString() : undefined;
}

/** Returns tokens as a number that can be added; 0 for anything else. */
export const tokens = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);

/** Returns the texts of blocks, each on separate lines. */
export const textsOf = (blocks: readonly JsonObject[]): string =>
  blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');

/** An answer's usage, in the fields of the format. Other programs record no cost. */
export function usageOf(input: number, output: number, cacheRead: number, cacheWrite: number, cost = 0): JsonObject {
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  };
}
