/**
 * Usage by the days of a time zone. The database has UTC days, so sessions whose work may lie on both sides of a local
 * midnight are read.
 */
import { Yielder } from '../../files/concurrency/eventLoop';
import type { Session } from '../../format/session/session';
import { STEP_LENGTH } from '../../format/session/steps';
import { dayName, usageFacts } from './sessionFacts';
import type { KnownFile } from '../rows/catalogRow';
import { DAY_MS, localDayOf, type DayOf } from '../rows/localDays';
import type { SessionUsage } from '../rows/usageBy';

export class LocalUsage {
  readonly dayOf: DayOf;
  /** The usage of sessions that were read, as of these versions of their files. */
  private readUsages = new Map<string, { readonly file: KnownFile; readonly usage: readonly SessionUsage[] }>();

  /** @throws {SessionError} `invalid` if there's no such time zone */
  constructor(readonly timeZone: string) {
    this.dayOf = localDayOf(timeZone);
  }

  /**
   * Replaces UTC days by local ones. Sessions that can't be read any more keep theirs. @param read is called for sessions that
   * have changed since the last call
   */
  async convert(
    usage: readonly SessionUsage[],
    fileOf: (path: string) => KnownFile,
    read: (path: string) => Promise<Session>,
  ): Promise<SessionUsage[]> {
    const ofOneDay: SessionUsage[] = [];
    const others = new Map<string, SessionUsage[]>();
    const turn = new Yielder(undefined);
    const days: (number | undefined)[] = [];
    for (const [at, { path, day }] of usage.entries()) {
      if (at % STEP_LENGTH === 0) await turn.yieldIfDue();
      days.push(localDay(day, fileOf(path), this.dayOf));
      if (days[at] === undefined) others.set(path, []);
    }
    for (const [at, fact] of usage.entries()) {
      if (at % STEP_LENGTH === 0) await turn.yieldIfDue();
      const other = others.get(fact.path);
      const day = days[at];
      if (other) other.push(fact);
      else if (day !== undefined) ofOneDay.push({ ...fact, day: dayName(day) });
    }
    const before = this.readUsages;
    const readUsages: typeof before = new Map();
    for (const [path, facts] of others) {
      const file = fileOf(path);
      const last = before.get(path);
      if (last?.file === file) readUsages.set(path, last);
      else readUsages.set(path, { file, usage: await this.readUsage(path, read).catch(() => facts) });
    }
    this.readUsages = readUsages;
    return [...ofOneDay, ...[...readUsages.values()].flatMap(({ usage }) => usage)];
  }

  private async readUsage(path: string, read: (path: string) => Promise<Session>): Promise<readonly SessionUsage[]> {
    return usageFacts(await read(path), { dayOf: this.dayOf }).map((fact) => ({ path, ...fact }));
  }
}

/** Returns the local day of all that a session did on a UTC day; `undefined` if there may be two. */
function localDay(utcDay: string, { row: { summary }, version }: KnownFile, dayOf: DayOf): number | undefined {
  const start = Date.parse(utcDay);
  if (Number.isNaN(start)) return 0;
  const end = start + DAY_MS - 1;
  const { created, modified, parentSession } = summary;
  // Entries of forks and imports may be older than the file.
  const first = parentSession === undefined && created >= start && created <= modified ? created : start;
  // Compactions cost something, too, after the last message.
  const last = Math.max(first, Math.min(end, Math.max(modified, version.mtimeMs)));
  const day = dayOf(first);
  return day === dayOf(last) ? day : undefined;
}
