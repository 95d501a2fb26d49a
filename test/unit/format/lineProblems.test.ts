import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { writeRefusal, followSession, readSession, SessionError } from '../../../src/core/index';
import { LineProblems } from '../../../src/core/format/parse/lineProblems';
import { problem } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { read } from '../../fixtures/read';

describe('LineProblems', () => {
  const folder = testFolder();
  const bad = (count: number): string => 'x\n'.repeat(count);

  it('reports a thousand of each kind; the last one represents the rest, with their number', () => {
    const found = read(`${session().text()}${bad(3_000)}${session().text().repeat(1_500)}${session().user('a').lines()[1]!}\n`);
    assert.equal(found.problems.length, 2_000);
    assert.deepEqual(found.problems[0], problem('bad-line', { line: 2 }));
    const [bads, headers] = [found.problems[999]!, found.problems[1999]!];
    assert.deepEqual(
      [bads.code, bads.line, bads.lastLine, bads.message],
      ['bad-line', 1001, 3001, 'Lines 1001 to 3001 (2001) aren’t valid JSON and were skipped.'],
    );
    assert.deepEqual([headers.code, headers.args], ['duplicate-header', { line: 4001, last: 4501, count: 501 }]);
    assert.equal(found.entries.length, 1);
  });

  it('does so for each kind that every line may have: no ID, a repeated one, several objects', () => {
    const entry = '{"type":"custom","customType":"x"';
    for (const [code, line] of [
      ['no-id', `${entry}}\n`],
      ['duplicate-id', `${entry},"id":"a","parentId":null}\n`],
      ['glued-line', `${entry}}${entry}}\n`],
    ] as const) {
      const { problems } = read(session().text() + line.repeat(3_000));
      const found = problems.filter((one) => one.code === code);
      assert.equal(found.length, 1_000, code);
      // The first line with an ID doesn't repeat it.
      assert.equal(found.at(-1)?.args['count'], code === 'duplicate-id' ? 2_000 : 2_001, code);
      assert.equal(found.at(-1)?.lastLine, 3_001, code);
    }
  });

  it('does not merge those that locate an entry that seems lost', () => {
    const built = session();
    for (let n = 0; n < 1_200; n++) built.user('lost', { parentId: `nobody ${n}` });
    assert.equal(read(built).problems.filter(({ code }) => code === 'unknown-parent').length, 1_200);
  });

  it('reports the same whether a file is read at once or in parts', async () => {
    for (const [first, second] of [
      [500, 2_000],
      [1_500, 3],
      [999, 1],
      [1_000, 1],
      [0, 1_500],
    ] as const) {
      const path = await folder.write('a.jsonl', session().text() + bad(first));
      const before = await readSession(path);
      await appendFile(path, bad(second));
      assert.deepEqual((await followSession(before)).problems, (await readSession(path)).problems, `${first} and ${second}`);
    }
  });

  it('still reports an incomplete last line', () => {
    const refusal = writeRefusal(read(session().user('a').text() + bad(2_000)));
    assert.ok(refusal instanceof SessionError && refusal.code === 'torn');
    assert.equal(refusal.args['line'], 2_002);
    assert.equal(writeRefusal(read(`${session().text()}${bad(2_000)}${session().user('a').lines()[1]!}\n`)), undefined);
  });

  it('continues an earlier list', () => {
    const list = new LineProblems(Array.from({ length: 1_000 }, (_, n) => problem('bad-line', { line: n + 1 })));
    list.add('bad-line', { line: 1_005 });
    list.add('torn-line', { line: 1_006 });
    assert.deepEqual(
      list.list.slice(999).map(({ code, line, lastLine }) => [code, line, lastLine]),
      [
        ['bad-line', 1_000, 1_005],
        ['torn-line', 1_006, undefined],
      ],
    );
  });
});
