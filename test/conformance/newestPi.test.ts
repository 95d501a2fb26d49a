/** pi 1.6.0 beside 1.5.2, which answers for everything else: a part of the generated sessions, and one that it wrote itself. */
import assert from 'node:assert/strict';
import { readArticles } from '../../src/context/articles/articleLoader';
import { readFileContext } from '../../src/context/host/sessionFiles';
import type { Article, Part, ViewMode } from '../../src/context/shared/protocol';
import { readSession, sessionToMarkdown } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { generateSession } from '../fixtures/generate';
import { agree, compareContexts, compareRows, compareShapes, compareTotals, readBoth } from './compareWithPi';
import { callsTool } from './modelStub';
import { runNewestPi } from './newestRun';

const SESSIONS = 40;
const QUESTION = 'When is the tide?';
const SCRIPT = `text(await tools.bash({ command: 'echo tide' }));
void tools.bash({ command: 'sleep 60' });
store('cursor', 7);
return 'ebb';`;

describe('pi 1.6.0', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('agrees about generated sessions', async () => {
    for (let seed = 0; seed < SESSIONS; seed++) {
      const both = await readBoth(folder.path, generateSession(seed).builder.text(), '1.6.0');
      compareShapes(both);
      await compareContexts(both);
      compareRows(both);
      compareTotals(both);
    }
  });

  it('agrees about a session that it wrote, whose durations, nested calls and stored values are shown', async () => {
    const path = await runNewestPi(
      folder.path,
      [QUESTION],
      (message) =>
        message.includes(QUESTION) ? callsTool('codemode', { code: SCRIPT }) : { delta: { content: 'At noon.' }, reason: 'stop' },
      ['--tools', '+codemode'],
    );
    const both = await agree(folder.path, path, '1.6.0');
    compareRows(both);
    compareTotals(both);

    const session = await readSession(path);
    assert.deepEqual(session.problems, []);
    const articles = async (view: ViewMode): Promise<Article[]> => {
      const snapshot = await readFileContext(session, undefined, view);
      const found: Article[] = [];
      for await (const page of readArticles(snapshot, 0, snapshot.groups.length)) found.push(...page.articles);
      return found;
    };
    for (const view of ['model', 'transcript'] as const) {
      const answers = (await articles(view)).filter(({ kind }) => kind === 'assistant');
      assert.equal(answers.length, 2);
      const durations = answers.map(({ duration }) => duration);
      const [call] = answers[0]!.parts.filter((part) => part.kind === 'tool');
      const nested = call!.result.flatMap((part: Part) => (part.kind === 'tool' ? [part] : []));
      assert.deepEqual(
        nested.map(({ name, summary, state }) => [name, summary, state]),
        [
          ['bash', 'echo tide', 'ok'],
          ['bash', 'sleep 60', 'unfinished'],
        ],
      );
      for (const duration of [...durations, call!.duration, nested[0]!.duration]) assert.match(duration ?? '', /^[\d.]+ m?s$/);
      assert.equal(call!.state, 'ok');
    }
    const rows = (await articles('transcript')).flatMap(({ row }) => (row ? [row.text] : []));
    assert.ok(rows.includes('Code mode stored: cursor'), rows.join('\n'));
    const markdown = await sessionToMarkdown(session);
    assert.match(markdown, /\*\*Tool\*\* `codemode` · [\d.]+ m?s\n/);
    assert.match(markdown, /\*\*Nested call\*\* `bash` · \*not finished\*/);
  });
});
