/**
 * The two halves of `npm run conformance -- openclaw` that need our code: `write` makes sessions for OpenClaw's own import,
 * `compare` compares its reader's answers about the database with ours.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSessionContext, pathTo, readBodies, readSession } from '../../src/core/index';
import { generateOpenclawSession } from '../fixtures/generateOpenclaw';

const SESSIONS = 60;
interface Answer {
  readonly sessionId: string;
  readonly label?: string;
  readonly displayName?: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
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

function write(home: string): void {
  const folder = join(home, '.openclaw', 'agents', 'main', 'sessions');
  mkdirSync(folder, { recursive: true });
  const store: Record<string, object> = {};
  for (let count = 0; count < SESSIONS; count++) {
    const { id, text } = generateOpenclawSession(count, home);
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, text);
    store[`agent:main:${count === 0 ? 'main' : `test:${String(count)}`}`] = {
      sessionId: id,
      updatedAt: Date.now() - count * 1000,
      sessionFile: path,
      ...(count % 4 === 1 ? { label: `Label ${String(count)}` } : count % 4 === 2 ? { displayName: `Name ${String(count)}` } : {}),
    };
  }
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(store));
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function compareOne(database: string, theirs: Answer): Promise<void> {
  const ours = await readSession(join(database, `${theirs.sessionId}.jsonl`));
  assert.deepEqual(
    ours.entries.map(({ id }) => id),
    theirs.ids,
    'entries in order',
  );
  assert.deepEqual(await readBodies(ours, theirs.ids), theirs.lines.slice(1), 'lines, those of compressed events too');
  assert.equal(ours.leafId, theirs.leafId, 'leaf');
  assert.equal(ours.name, theirs.displayName ?? theirs.label ?? theirs.name, 'name');
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

async function compare(home: string): Promise<void> {
  const database = join(home, '.openclaw', 'agents', 'main', 'agent', 'openclaw-agent.sqlite');
  const answers = JSON.parse(readFileSync(join(home, 'answers.json'), 'utf8')) as Answer[];
  let different = 0;
  for (const answer of answers) {
    try {
      await compareOne(database, answer);
    } catch (error) {
      different++;
      console.log(`${answer.sessionId}\n  ${(error instanceof Error ? error.message : String(error)).slice(0, 3000)}`);
    }
  }
  const contexts = answers.reduce((sum, { contexts: all }) => sum + all.length, 0);
  console.log(`${String(answers.length)} sessions, ${String(contexts)} contexts, ${String(different)} sessions with other answers`);
  process.exitCode = different > 0 || answers.length !== SESSIONS ? 1 : 0;
}

const [, , what, home] = process.argv;
if (what === 'write') write(home!);
else void compare(home!);
