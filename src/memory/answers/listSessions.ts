/** Sessions, newest first, limited by project, program and time. */
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { DIALECTS, defined, expandPath, isDialect, isWithin, parsePeriod, type CatalogRow, type Dialect } from '../../core/index';
import type { Memory } from '../memory';
import { RefMaker } from '../refs';
import { RequestError } from '../requestError';
import { isoTime, type SessionAnswer } from './values';

export interface SessionLimits {
  /** A folder, or the beginning of its name. */
  readonly project?: string;
  readonly program?: string;
  /** A date as in searches: `2026-11-01`, `yesterday`, `3w`. */
  readonly since?: string;
  readonly until?: string;
}

export interface SessionList {
  readonly sessions: readonly SessionAnswer[];
  /** The number of sessions before they were cut to the limit. */
  readonly total: number;
}

/** @throws {RequestError} for a program or a date that there isn't */
export async function listSessions(
  memory: Memory,
  { redact = true, limit, ...limits }: SessionLimits & { readonly limit?: number; readonly redact?: boolean } = {},
): Promise<SessionList> {
  const accepts = rowFilter(limits);
  const rows = await memory.rows();
  const found = rows.filter(accepts);
  const cut = found.slice(0, limit);
  const titles = redact ? await withoutSecrets(memory, cut) : [];
  return { sessions: sessionAnswers(rows, cut, titles), total: found.length };
}

/**
 * Works like {@link listSessions} for the sessions that are on the disk now, without secrets. If nothing has changed there, it's the last
 * list, and the index isn't opened.
 *
 * @param hasStates true if what the sessions' programs do is asked for, too
 * @throws {RequestError}; as `Memory.current`
 */
export async function currentSessions(
  memory: Memory,
  { limit, ...limits }: SessionLimits & { readonly limit?: number },
  hasStates: boolean,
): Promise<SessionList> {
  const accepts = rowFilter(limits);
  const last = await memory.lastList();
  if (last?.isCurrent(hasStates)) {
    const isLimited = Object.keys(limits).length > 0;
    const found = isLimited ? last.sessions.filter((session) => accepts(placeOf(session))) : last.sessions;
    return { sessions: found.slice(0, limit), total: found.length };
  }
  await memory.current();
  if (!last) return listSessions(memory, { ...limits, ...defined({ limit }) });
  const rows = await memory.rows();
  const all = sessionAnswers(rows, rows, await withoutSecrets(memory, rows, last.titles()));
  // A file that couldn't be read may be readable the next time, though it's the same.
  await last.write(
    all,
    rows.every(({ problem }) => problem === undefined || problem.code === 'not-a-session'),
  );
  const isAccepted = rows.map(accepts);
  const found = all.filter((_, at) => isAccepted[at]);
  return { sessions: found.slice(0, limit), total: found.length };
}

/** Titles without secrets. Looks at all of them at once, since hardly any has one, and only at those that weren't searched before. */
async function withoutSecrets(memory: Memory, rows: readonly CatalogRow[], plain?: ReadonlySet<string>): Promise<readonly string[]> {
  const titles = rows.map(({ title }) => title);
  const fresh = plain ? titles.filter((title) => !plain.has(title)) : titles;
  if (fresh.length === 0) return titles;
  const secrets = await memory.secrets();
  const all = fresh.join('\n');
  if ((await secrets.text(all)) === all) return titles;
  const redacted: string[] = [];
  for (const title of titles) redacted.push(await secrets.text(title));
  return redacted;
}

function sessionAnswers(rows: readonly CatalogRow[], listed: readonly CatalogRow[], titles: readonly string[]): SessionAnswer[] {
  const refs = new RefMaker(rows);
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return listed.map((row, at) => sessionAnswer({ ...row, title: titles[at] ?? row.title }, refs, byPath));
}

export function sessionAnswer(row: CatalogRow, refs: RefMaker, byPath: ReadonlyMap<string, CatalogRow>): SessionAnswer {
  const parent = row.parentPath === undefined ? undefined : byPath.get(row.parentPath);
  const { path, dialect, id, title, cwd, complete, messageCount, created, modified, state, unfinished, machine, tags, note, problem } = row;
  return {
    ref: refs.of(row),
    path,
    program: dialect,
    id,
    title,
    project: cwd,
    ...defined({ created: isoTime(created), modified: isoTime(modified) }),
    // A file of which only the beginning and the end were read has no count yet.
    ...(complete || messageCount > 0 ? { messages: messageCount } : {}),
    ...defined({ state, unfinished, machine, parent: parent && refs.of(parent), tags, note, problem: problem?.message }),
  };
}

/** The facts of a session that limits are about. */
type Place = Pick<CatalogRow, 'dialect' | 'cwd' | 'modified' | 'created'>;

const placeOf = ({ program, project, modified, created }: SessionAnswer): Place => ({
  dialect: program,
  cwd: project,
  modified: new Date(modified ?? 0),
  created: new Date(created ?? 0),
});

/** Returns which sessions are within the limits. @throws {RequestError} */
export function rowFilter({ project, program, since, until }: SessionLimits): (row: Place) => boolean {
  const dialect = program === undefined ? undefined : programNamed(program);
  const inProject = project === undefined ? undefined : projectFilter(project);
  const from = since === undefined ? undefined : timeOf('since', since);
  const to = until === undefined ? undefined : timeOf('until', until);
  return (row) =>
    (dialect === undefined || row.dialect === dialect) &&
    (!inProject || inProject(row.cwd)) &&
    (from === undefined || row.modified.getTime() >= from) &&
    (to === undefined || row.created.getTime() < to);
}

/** @throws {RequestError} */
export function programNamed(name: string): Dialect {
  if (isDialect(name)) return name;
  throw new RequestError(`There is no program “${name}”. The programs are: ${DIALECTS.join(', ')}`);
}

/** A path limits to the folder and those in it, anything else to folders whose name begins with it, in any case. */
export function projectFilter(project: string): (cwd: string) => boolean {
  const folder = projectFolder(project);
  if (folder !== undefined) return (cwd) => cwd !== '' && isWithin(cwd, folder, process.platform);
  const start = project.toLowerCase();
  return (cwd) => basename(cwd).toLowerCase().startsWith(start);
}

/** Returns the folder that a project's path names; `undefined` for a name. */
export function projectFolder(project: string): string | undefined {
  return /[\\/]|^[.~]/.test(project) ? expandPath(project, homedir(), process.cwd()) : undefined;
}

/** Returns milliseconds since 1970: the beginning of a period for `since`, and its end for `until`. @throws {RequestError} */
export function timeOf(option: 'since' | 'until', text: string): number {
  const period = parsePeriod(text.trim(), new Date());
  if (!period) throw new RequestError(`The date of “${option}” isn’t one, such as 2026-11-01, yesterday or 3w: ${text}`);
  return option === 'since' ? period.from : period.to;
}
