/**
 * The two halves of `npm run conformance -- openclaw` that need our code: `write` makes sessions for OpenClaw's own import,
 * `compare` compares its reader's answers about the database with ours.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../../src/core/files/io/loadSqlite';
import { listDatabase } from '../../src/core/files/database/listDatabase';
import { buildSessionContext, pathTo, readBodies, readSession, type SessionMarks, type SessionState } from '../../src/core/index';
import { generateSession } from '../fixtures/generate';

const SESSIONS = 60;

/** A line of OpenClaw's session store. */
interface StoreEntry {
  readonly sessionId: string;
  readonly label?: string;
  readonly displayName?: string;
  readonly status?: string;
  readonly pinnedAt?: number;
  readonly archivedAt?: number;
  readonly spawnedBy?: string;
  readonly parentSessionKey?: string;
  readonly previousSessionId?: string;
  readonly forkSource?: { readonly sessionKey: string; readonly sessionId: string };
}
type Lines = readonly Readonly<Record<string, unknown>>[];
interface Answer {
  readonly sessionKey: string;
  readonly entry: StoreEntry;
  readonly lines: Lines;
  /** The lines of the session that this one continues. */
  readonly earlierLines?: Lines;
  readonly leafId: string | null;
  readonly name?: string;
  readonly ids: readonly string[];
  readonly contexts: readonly {
    readonly id: string;
    readonly path: readonly string[];
    readonly messages: readonly unknown[];
    readonly thinkingLevel: string;
  }[];
}

const STATES = ['running', 'done', 'failed', 'killed', 'timeout', undefined] as const;
const keyOf = (count: number): string => `agent:main:${count === 0 ? 'main' : `test:${String(count)}`}`;

function write(home: string): void {
  const folder = join(home, '.openclaw', 'agents', 'main', 'sessions');
  mkdirSync(folder, { recursive: true });
  const store: Record<string, object> = {};
  const ids: string[] = [];
  for (let count = 0; count < SESSIONS; count++) {
    const { id, text } = generateSession(count, { program: 'openclaw', cwd: home });
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, text);
    const status = STATES[count % STATES.length];
    const [before] = ids;
    store[keyOf(count)] = {
      sessionId: id,
      updatedAt: Date.now() - count * 1000,
      sessionFile: path,
      ...(count % 4 === 1 ? { label: `Label ${String(count)}` } : count % 4 === 2 ? { displayName: `Name ${String(count)}` } : {}),
      ...(status === undefined ? {} : { status }),
      ...(count % 5 === 1 ? { pinnedAt: Date.now() } : {}),
      ...(count % 7 === 2 ? { archivedAt: Date.now() } : {}),
      ...(count % 6 === 3 ? { spawnedBy: keyOf(count - 1) } : {}),
      ...(count % 8 === 5 && before !== undefined
        ? { parentSessionKey: keyOf(0), forkSource: { sessionKey: keyOf(0), sessionId: before, entryId: 'e0000001' } }
        : {}),
    };
    ids.push(id);
  }
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(store));
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Without the header, and without lines that only move the leaf: they are no entries. */
const entriesIn = (lines: Lines): Lines => lines.filter(({ type }) => type !== 'session' && type !== 'leaf');

/** Translates OpenClaw's agents, states, pins and archives to our marks. */
function marksOf({ sessionKey, entry: { status, pinnedAt, archivedAt } }: Answer, isAside: boolean): SessionMarks {
  const [, agent = ''] = sessionKey.split(':');
  const states: Readonly<Record<string, SessionState>> = {
    running: 'working',
    done: 'idle',
    failed: 'failed',
    killed: 'failed',
    timeout: 'failed',
  };
  const state = status === undefined ? undefined : states[status];
  return {
    agent,
    ...(state === undefined ? {} : { state }),
    ...(pinnedAt === undefined ? {} : { isPinned: true }),
    ...(archivedAt === undefined && !isAside ? {} : { isArchived: true }),
  };
}

/** The list of a database: the paths, and which session a subagent belongs to. */
async function compareLists(database: string, answers: readonly Answer[]): Promise<void> {
  const pathOf = (id: string): string => join(database, `${id}.jsonl`);
  const byKey = new Map(answers.map(({ sessionKey, entry }) => [sessionKey, pathOf(entry.sessionId)]));
  const expected = answers.flatMap(({ entry }) => {
    const { sessionId, previousSessionId, spawnedBy, parentSessionKey, forkSource } = entry;
    const owner = spawnedBy ?? (parentSessionKey === forkSource?.sessionKey ? undefined : parentSessionKey);
    const own: [string, string | null] = [pathOf(sessionId), (owner === undefined ? undefined : byKey.get(owner)) ?? null];
    return previousSessionId === undefined ? [own] : [own, [pathOf(previousSessionId), own[1]] as const];
  });
  const { rows, problem } = await listDatabase(database);
  assert.equal(problem, undefined);
  assert.deepEqual(new Map(rows.map(({ path, owner }) => [path, owner ?? null])), new Map(expected));
}

async function compareOne(database: string, theirs: Answer, isAside: (id: string) => boolean): Promise<void> {
  const { sessionId, label, displayName, previousSessionId, forkSource } = theirs.entry;
  const ours = await readSession(join(database, `${sessionId}.jsonl`));
  assert.deepEqual(
    ours.entries.map(({ id }) => id),
    theirs.ids,
    'entries in order',
  );
  assert.deepEqual(await readBodies(ours, theirs.ids), entriesIn(theirs.lines), 'lines, those of compressed events too');
  assert.equal(ours.leafId, theirs.leafId, 'leaf');
  assert.equal(ours.name, displayName ?? label ?? theirs.name, 'name');
  assert.deepEqual(ours.marks, marksOf(theirs, isAside(sessionId)), 'agent, state, pin and archive');
  const parentId = previousSessionId ?? forkSource?.sessionId;
  if (parentId !== undefined) assert.equal(ours.header.parentSession, join(database, `${parentId}.jsonl`), 'the session that it continues');
  if (previousSessionId !== undefined) {
    const earlier = await readSession(join(database, `${previousSessionId}.jsonl`));
    const ids = earlier.entries.map(({ id }) => id);
    assert.deepEqual(await readBodies(earlier, ids), entriesIn(theirs.earlierLines ?? []), 'the lines of the session that it continues');
  }
  for (const { id, path, messages, thinkingLevel } of theirs.contexts) {
    assert.deepEqual(
      pathTo(ours, id).map((head) => head.id),
      path,
      `path to ${id}`,
    );
    const context = await buildSessionContext(ours, id);
    assert.deepEqual([plain(context.messages), context.thinkingLevel], [messages, thinkingLevel], `context at ${id}`);
  }
}

/** @param isArchived true after OpenClaw has put transcripts aside */
async function compare(home: string, isArchived: boolean): Promise<void> {
  const agent = join(home, '.openclaw', 'agents', 'main');
  const database = join(agent, 'agent', 'openclaw-agent.sqlite');
  const answers = JSON.parse(readFileSync(join(home, 'answers.json'), 'utf8')) as Answer[];
  const aside = isArchived ? archivedIds(database) : new Set<string>();
  let different = 0;
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      different++;
      console.log(`${name}\n  ${(error instanceof Error ? error.message : String(error)).slice(0, 3000)}`);
    }
  };
  await attempt('The list', () => compareLists(database, answers));
  for (const answer of answers) await attempt(answer.entry.sessionId, () => compareOne(database, answer, (id) => aside.has(id)));
  const contexts = answers.reduce((sum, { contexts: all }) => sum + all.length, 0);
  const count = (name: keyof StoreEntry): string => String(answers.filter(({ entry }) => entry[name] !== undefined).length);
  console.log(
    `${String(answers.length)} sessions (${count('status')} with a state, ${count('pinnedAt')} pinned, ${count('archivedAt')} archived, ${count('spawnedBy')} of subagents, ${count('forkSource')} forks, ${count('previousSessionId')} that continue another one, ${String(aside.size)} put aside), ${String(contexts)} contexts, ${String(different)} different`,
  );
  process.exitCode = different > 0 || answers.length < SESSIONS || (isArchived && aside.size === 0) ? 1 : 0;
}

/** The sessions that OpenClaw has put aside, from its own table. */
function archivedIds(database: string): ReadonlySet<string> {
  const { DatabaseSync } = loadSqlite();
  const opened = new DatabaseSync(database, { readOnly: true });
  const rows = opened.prepare('SELECT session_id FROM session_transcript_cold_archives').all();
  opened.close();
  return new Set(rows.map((row) => String(row['session_id'])));
}

const [, , what, home = ''] = process.argv;
if (what === 'write') write(home);
else void compare(home, what === 'compareArchived');
