/** Hits of a search: each with the state of its branch, and without secrets. */
import {
  branchState,
  defined,
  entrySnippet,
  parseSearchQuery,
  readBodies,
  ROLE_NAMES,
  Yielder,
  type CatalogRow,
  type KnownWord,
  type SearchHit,
  type SearchOptions,
  type Session,
} from '../../core/index';
import type { Memory } from '../memory';
import { RefMaker } from '../refs';
import { hitTurn } from './hitTurn';
import { RequestError } from '../requestError';
import { programNamed, projectFilter, projectFolder, timeOf, type SessionLimits } from './listSessions';
import { isoTime, type HitAnswer } from './values';

export interface SearchRequest extends SessionLimits {
  readonly query: string;
  readonly role?: string;
  readonly limit?: number;
  /** The number of first hits that get their turn. */
  readonly turns?: number;
}

/** Entries up to this size are read to find secrets that the snippet has only a part of. */
const MAX_ENTRY = 1024 * 1024;
/** Bytes of a session's other entries that are searched for secrets which the hit repeats. */
const MAX_LEARNED = 256 * 1024;

/** @throws {RequestError} without words and limits, for a role, a program or a date that there isn't; the errors of `Catalog.search` */
export async function searchSessions(memory: Memory, request: SearchRequest): Promise<HitAnswer[]> {
  const { query, limit: _limit, turns: _turns, ...limits } = request;
  if (!/\S/.test(query) && Object.keys(limits).length === 0) throw new RequestError('There is nothing to search for. Give some words.');
  const catalog = await memory.catalog();
  const rows = await memory.rows();
  const hits = await catalog.search(request.query, optionsOf(request, rows, memory));
  const found = new Set(hits.map(({ path }) => path));
  const byPath = new Map(rows.filter(({ path }) => found.has(path)).map((row) => [row.path, row]));
  const maker = new HitMaker(memory, byPath, new RefMaker(rows), request.query);
  const answers: HitAnswer[] = [];
  for (const hit of hits) {
    const answer = await maker.answer(hit, answers.length < (request.turns ?? 0));
    if (answer) answers.push(answer);
  }
  return answers;
}

/** The words of a question for which {@link searchSessions} finds nothing, with the number of sessions that have each. */
export async function wordsOfQuestion(memory: Memory, request: SearchRequest): Promise<readonly KnownWord[]> {
  const catalog = await memory.catalog();
  return catalog.knownWords(request.query, optionsOf(request, await memory.rows(), memory));
}

/** The number of sessions with a word, as texts say it. */
export const sessionCount = ({ sessions, isMore, isPair }: KnownWord): string =>
  `${isPair ? 'at most ' : ''}${String(sessions)}${isMore ? ' or more' : ''} ${sessions === 1 && !isMore ? 'session' : 'sessions'}`;

function optionsOf(
  { role, project, program, since, until, limit }: SearchRequest,
  rows: readonly CatalogRow[],
  { signal, hasExcluded }: Memory,
): SearchOptions {
  const folder = project === undefined ? undefined : projectFolder(project);
  const named = project === undefined || folder !== undefined ? undefined : projectFilter(project);
  const dialect = program === undefined ? undefined : programNamed(program);
  const isLimited = named !== undefined || dialect !== undefined || hasExcluded;
  const isAmong = ({ cwd, dialect: own }: CatalogRow): boolean => (!named || named(cwd)) && (dialect === undefined || own === dialect);
  return defined({
    roles: role === undefined ? undefined : rolesNamed(role),
    project: folder,
    paths: isLimited ? new Set(rows.filter(isAmong).map(({ path }) => path)) : undefined,
    since: since === undefined ? undefined : timeOf('since', since),
    until: until === undefined ? undefined : timeOf('until', until),
    limit,
    weighed: true,
    signal,
  });
}

/** @throws {RequestError} */
function rolesNamed(role: string): readonly string[] {
  if (!ROLE_NAMES.includes(role.toLowerCase()))
    throw new RequestError(`There is no role “${role}”. The roles are: ${ROLE_NAMES.join(', ')}`);
  return parseSearchQuery(`role:${role}`).roles ?? [];
}

class HitMaker {
  constructor(
    private readonly memory: Memory,
    private readonly byPath: ReadonlyMap<string, CatalogRow>,
    private readonly refs: RefMaker,
    private readonly query: string,
  ) {}

  /** `undefined` for a session that went away or changed meanwhile. */
  async answer(hit: SearchHit, hasTurn: boolean): Promise<HitAnswer | undefined> {
    const row = this.byPath.get(hit.path);
    // A session that was removed since the search has nothing to answer with, and the next search doesn't find it.
    const session = row && (await this.memory.session(hit.path).catch(() => undefined));
    if (!row || !session) return undefined;
    const { byId } = session;
    const { state, replacedBy } = byId.has(hit.entryId)
      ? await new Yielder(this.memory.signal).run(branchState(session, hit.entryId))
      : { state: hit.active ? ('active' as const) : ('left' as const) };
    const secrets = await this.memory.secrets();
    return {
      ref: this.refs.of(row, hit.entryId),
      session: this.refs.of(row),
      path: hit.path,
      entryId: hit.entryId,
      title: await secrets.text(row.title),
      project: row.cwd,
      role: hit.role,
      ...defined({ time: isoTime(hit.time) }),
      state,
      ...(replacedBy ? { replacedBy: { ref: this.refs.of(row, replacedBy.id), prompt: await secrets.text(replacedBy.prompt) } } : {}),
      ...(await this.snippet(session, hit)),
      ...(hasTurn && byId.has(hit.entryId) ? { turn: await hitTurn(this.memory, session, hit.entryId) } : {}),
      ...defined({ elsewhere: hit.elsewhere, missing: hit.missing }),
    };
  }

  /** A secret that the snippet has only a part of is recognized in the whole entry. */
  private async snippet(session: Session, hit: SearchHit): Promise<Pick<HitAnswer, 'snippet' | 'marks'>> {
    const { signal } = this.memory;
    const secrets = await this.memory.secrets();
    const head = session.byId.get(hit.entryId);
    await secrets.learn(session, MAX_LEARNED, signal);
    if (head && head.length <= MAX_ENTRY && hit.role !== 'label' && hit.role !== 'title') {
      const entries = await readBodies(session, [hit.entryId], signal);
      const [redacted] = await secrets.entries(entries, signal);
      if (redacted && JSON.stringify(redacted) !== JSON.stringify(entries[0])) return entrySnippet(redacted, this.query);
    }
    const snippet = await secrets.text(hit.snippet);
    return { snippet, marks: snippet === hit.snippet ? hit.marks : [] };
  }
}
