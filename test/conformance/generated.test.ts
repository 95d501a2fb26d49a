/** Compares our results with pi's for generated sessions. The seeds are fixed, so a failure can be repeated by its seed. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionManager } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { generateSession } from '../fixtures/generate';
import { dice } from '../fixtures/random';
import { someCall } from './randomCalls';
import { agree, compareContexts, compareRows, compareShapes, compareTotals, readBoth } from './compareWithPi';
import { loadPiManager } from './piManager';

const SESSIONS = 300;
/** Number of sessions in each test; small, so that a failing one is found quickly. */
const STEP = 50;
const NO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const PROJECTS = ['/work/demo', '/work/demo', '/work/other', ''];

describe('The real pi agrees about generated sessions', function () {
  this.timeout(120_000);
  const folder = testFolder();
  const counts = { sessions: 0, entries: 0, contexts: 0, rows: 0 };
  after(() => {
    console.log(
      `    compared: ${String(counts.sessions)} sessions, ${String(counts.entries)} entries, ${String(counts.contexts)} contexts, ${String(counts.rows)} rows`,
    );
  });

  for (let from = 0; from < SESSIONS; from += STEP) {
    it(`tree, branches, labels, leaf, name, contexts, rows and totals: seeds ${String(from)} to ${String(from + STEP - 1)}`, async () => {
      for (let seed = from; seed < from + STEP; seed++) {
        const { builder } = generateSession(seed);
        try {
          const both = await readBoth(folder.path, builder.text());
          compareShapes(both);
          counts.contexts += await compareContexts(both);
          counts.rows += compareRows(both);
          compareTotals(both);
          counts.sessions++;
          counts.entries += both.ours.entries.length;
        } catch (error) {
          throw new Error(`seed ${String(seed)}`, { cause: error });
        }
      }
    });
  }

  it('SessionInfo of all of them, in one folder', async () => {
    const theirs = join(folder.path, 'theirs');
    await mkdir(theirs);
    const withNull = new Set<string>();
    for (let seed = 0; seed < SESSIONS; seed++) {
      const name = `${String(seed)}.jsonl`;
      const text = generateSession(seed, { cwd: PROJECTS[seed % PROJECTS.length]! }).text;
      if (text.includes('"content":null')) withNull.add(`/${name}`);
      const path = await folder.write(name, text);
      await copyFile(path, join(theirs, name));
    }
    const manager = await loadPiManager();
    assert.ok(withNull.size < SESSIONS / 2, 'enough of them are compared');
    for (const project of ['/work/demo', '/work/other', '/work/none']) {
      const inOrder = (infos: readonly unknown[], dir: string): { path: string; modified: string }[] => {
        const plain = JSON.parse(JSON.stringify(infos).replaceAll(JSON.stringify(dir).slice(1, -1), '')) as {
          path: string;
          modified: string;
        }[];
        assert.deepEqual(
          plain.map(({ modified }) => modified),
          plain
            .map(({ modified }) => modified)
            .sort()
            .reverse(),
          'newest first',
        );
        return plain.sort((a, b) => a.path.localeCompare(b.path));
      };
      const ours = inOrder(await SessionManager.list(project, folder.path), folder.path);
      assert.equal(ours.length, PROJECTS.filter((of) => of === project).length * (SESSIONS / PROJECTS.length));
      // pi's list leaves out sessions with a message whose content is null.
      assert.deepEqual(
        ours.filter(({ path }) => !withNull.has(path)),
        inOrder(await manager.list(project, theirs), theirs),
      );
    }
  });

  it('sessions that pi itself wrote', async () => {
    const manager = await loadPiManager();
    for (let seed = 0; seed < 50; seed++) {
      const random = dice(seed);
      const written = manager.create('/work/demo', join(folder.path, String(seed)));
      written.appendMessage({ role: 'user', content: 'first', timestamp: 1 });
      written.appendMessage({ role: 'assistant', content: [], provider: 'p', model: 'm', usage: NO_USAGE, timestamp: 2 });
      for (let step = 0; step < 25; step++) {
        const entries = written.getEntries();
        // A fork at a label is empty.
        if (entries.length === 0) written.appendMessage({ role: 'user', content: 'again', timestamp: 1 });
        else void someCall(random, entries.length)(written, (place) => entries[place]!.id);
      }
      // pi writes the file of a fork when the first answer arrives.
      if (!existsSync(written.getSessionFile()!)) continue;
      compareRows(await agree(folder.path, written.getSessionFile()!));
    }
  });

  it('every getter of the SessionManager', async () => {
    const manager = await loadPiManager();
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    for (let seed = 0; seed < 100; seed++) {
      const { version, builder } = generateSession(seed);
      if (version === 1) continue;
      const path = await folder.write('getters.jsonl', builder.text());
      const copy = join(folder.path, 'copy.jsonl');
      await copyFile(path, copy);
      const ours = await SessionManager.open(path);
      const theirs = manager.open(copy);
      const content = (entries: readonly unknown[]): unknown => (plain(entries) as unknown[]).map(withEmptyContent);
      assert.deepEqual(content(ours.getEntries()), content(theirs.getEntries()));
      assert.deepEqual(plain(ours.getHeader()), { ...(plain(theirs.getHeader()) as object), version });
      for (const { id } of theirs.getEntries()) {
        assert.deepEqual(content(ours.getChildren(id)), content(theirs.getChildren(id)));
        assert.deepEqual(
          [ours.getLabel(id), ours.getBranch(id).length, ours.getEntry(id)?.id],
          [theirs.getLabel(id), theirs.getBranch(id).length, id],
        );
      }
    }
  });
});

/** Adds the missing content: our entries always have one, which may be empty. */
function withEmptyContent(entry: unknown): unknown {
  const { message, ...rest } = entry as { message?: { content?: unknown }; content?: unknown };
  const filled = <T extends { content?: unknown }>(value: T): T => (value.content === null ? { ...value, content: [] } : value);
  return { ...filled(rest), ...(message === undefined ? {} : { message: filled(message) }) };
}
