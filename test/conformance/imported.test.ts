/** The real pi and oh-my-pi open imported sessions: the same tree, contexts and totals as ours, and as the original's. */
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSessionContext, importSession, readSession, sessionUsage } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { claudeSession, codexCalls, codexSession } from '../fixtures/foreignSessions';
import { generateSession } from '../fixtures/generate';
import { agree } from './compareWithPi';
import { compareWithOmp } from './compareWithOmp';
import { startOmp } from './omp';

const SESSIONS = 24;

describe('The real programs open what we import', function () {
  this.timeout(120_000);
  const folder = testFolder();

  for (const [program, text] of [
    ['Claude Code', claudeSession()],
    ['Codex', codexSession()],
    ['Codex with calls of every shape', codexCalls()],
  ] as const) {
    it(`from ${program}: pi agrees about the tree, the contexts and the totals`, async () => {
      const file = await folder.write('foreign.jsonl', text);
      const { path } = await importSession(file, { sessionDir: folder.path });
      const { pi, ours: session, theirs } = await agree(folder.path, path);
      const { input, output, cacheRead, cacheWrite } = pi.totals(theirs);
      const ours = sessionUsage(session);
      assert.deepEqual([ours.input, ours.output, ours.cacheRead, ours.cacheWrite], [input, output, cacheRead, cacheWrite]);
      assert.ok(pi.convertToLlm(theirs.buildSessionContext().messages).length > 0);
    });
  }

  it('from pi, of any version: the context is that of the original', async () => {
    for (let seed = 3000; seed < 3000 + SESSIONS; seed++) {
      const file = await folder.write('source.jsonl', generateSession(seed).builder.text());
      const { path } = await importSession(file, { sessionDir: folder.path, targetCwd: folder.path });
      const both = await agree(folder.path, path);
      const source = await buildSessionContext(await readSession(file));
      const imported = await buildSessionContext(both.ours);
      assert.deepEqual(imported.messages, source.messages, `seed ${String(seed)}`);
    }
  });

  it('from Claude Code and Codex: oh-my-pi agrees about the tree and the contexts, too', async () => {
    const omp = await startOmp(join(folder.path, 'home'));
    try {
      for (const text of [claudeSession(), codexSession(), codexCalls()]) {
        const { path } = await importSession(await folder.write('foreign.jsonl', text), { sessionDir: folder.path });
        const copy = join(folder.path, 'copy.jsonl');
        await copyFile(path, copy);
        const ours = await readSession(path, { dialect: 'omp' });
        const theirs = await omp.read(copy);
        // The lines of models are pi's, which oh-my-pi leaves out.
        const contexts = await Promise.all(
          theirs.contexts.map(async (context) => ({ ...context, models: (await buildSessionContext(ours, context.id)).models ?? {} })),
        );
        await compareWithOmp(ours, { ...theirs, contexts });
      }
    } finally {
      await omp.end();
    }
  });

  it('from oh-my-pi', async () => {
    const omp = await startOmp(join(folder.path, 'home'));
    try {
      for (let seed = 1; seed <= SESSIONS; seed++) {
        const file = await folder.write('source.jsonl', generateSession(seed, { program: 'omp' }).text);
        const { path } = await importSession(file, { sessionDir: folder.path, targetCwd: folder.path });
        const copy = join(folder.path, 'copy.jsonl');
        await copyFile(path, copy);
        const ours = await readSession(path, { dialect: 'omp' });
        assert.deepEqual(ours.problems, [], `seed ${String(seed)}`);
        await compareWithOmp(ours, await omp.read(copy));
      }
    } finally {
      await omp.end();
    }
  });
});
