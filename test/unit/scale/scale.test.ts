import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { writeBigSession } from '../../fixtures/bigSessions';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import type { Answers } from './queryProcess';

const MB = 1024 * 1024;
const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/demo"}\n';

/** Runs queries in another process, which reports its memory. Coverage is off there, because it needs memory, too. */
async function ask(path: string, ...questions: string[]): Promise<Answers> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', join(__dirname, '../../../bundled/queryProcess.js'), path, ...questions],
    {
      maxBuffer: 16 * MB,
      env: { ...process.env, NODE_V8_COVERAGE: undefined },
    },
  );
  return JSON.parse(stdout) as Answers;
}

function assertSmall({ heads, peak }: Answers, room = 200 * MB): void {
  assert.ok(peak <= heads + room, `${Math.round(peak / MB)} MB at most, of which the heads hold ${Math.round(heads / MB)} MB`);
}

describe('Sessions of any size', function () {
  this.timeout(120_000);
  const folder = testFolder();
  const at = (name = 'big.jsonl'): string => join(folder.path, name);
  const write = (parts: Iterable<string | Buffer>): Promise<void> => pipeline(Readable.from(parts), createWriteStream(at()));

  it('a chain of 200,000 entries', async () => {
    const { leafId } = await writeBigSession(at(), { entries: 200_000, chain: true, resultBytes: 40 });
    const read = await ask(at());
    assertSmall(read);
    assert.deepEqual([read.entries, read.roots, read.leafId, read.depth, read.problems], [200_000, 1, leafId, 200_000, []]);
    // Walks of the chain are tried with short messages, because they parse all of them several times. Recursion fails from
    // about 10,000 entries on.
    const walked = 50_000;
    function* lines(): Generator<string> {
      yield HEADER;
      for (let n = 1; n <= walked; n++)
        yield `{"type":"message","id":"c${n}","parentId":${n === 1 ? 'null' : `"c${n - 1}"`},"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"message ${n}"}}\n`;
    }
    await write(lines());
    const answers = await ask(at(), 'context', 'markdown', 'manager');
    assertSmall(answers);
    assert.deepEqual(
      [answers.entries, answers.roots, answers.leafId, answers.depth, answers.tips, answers.suspected],
      [walked, 1, `c${walked}`, walked, 1, null],
    );
    assert.deepEqual([answers.messages, answers.treeDepth, answers.branch, answers.problems], [walked, walked, walked, []]);
    assert.ok(answers.markdownBytes! > 50_000 && answers.markdownBytes! <= 101_000);
  });

  it('a fork with 50,000 children, and one with 200,000', async () => {
    for (const count of [50_000, 200_000]) {
      function* lines(): Generator<string> {
        yield HEADER;
        yield '{"type":"message","id":"root","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"hello"}}\n';
        for (let n = 0; n < count; n++)
          yield `{"type":"message","id":"c${n}","parentId":"root","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"child ${n}"}}\n`;
      }
      await write(lines());
      const answers = await ask(at(), 'context', 'markdown', 'manager');
      assertSmall(answers);
      assert.deepEqual(
        [answers.entries, answers.tips, answers.depth, answers.messages, answers.treeDepth, answers.branch],
        [count + 1, count, 2, 2, 2, 2],
      );
    }
  });

  const long: Readonly<Record<string, [start: string, piece: string, end: string]>> = {
    text: ['{"type":"text","text":"', 'a long text with \\"quotes\\" and ünï 🚀 ', '"}'],
    blocks: ['', '{"type":"text","text":"x"},', '{"type":"text","text":"end"}'],
    nested: ['{"type":"x","x":', '[', ''],
    image: ['{"type":"image","mimeType":"image/png","data":"', 'iVBORw0KGgoAAAANSUhEUg', '"}'],
  };
  // Only text is asked for more. Each question is a test of its own, because a slow machine takes a minute for it.
  const questions = ['', 'context', 'markdown', 'manager', 'body'];
  const tries = Object.keys(long).flatMap((kind) => (kind === 'text' ? questions : ['']).map((question) => [kind, question] as const));
  for (const [kind, question] of tries) {
    it(`a line of 100 MB because of its ${kind}${question === '' ? '' : `: ${question}`}`, async () => {
      const [start, piece, end] = long[kind]!;
      const many = piece.repeat(10_000);
      const turns = Math.ceil((100 * MB) / Buffer.byteLength(many));
      function* parts(): Generator<string> {
        yield `${HEADER}{"type":"message","id":"long","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":[${start}`;
        for (let n = 0; n < turns; n++) yield many;
        if (kind === 'nested') for (let n = 0; n < turns; n++) yield ']'.repeat(10_000);
        yield `${end}${kind === 'nested' ? '}' : ''}]}}\n{"type":"message","id":"next","parentId":"long","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"user","content":"next"}}\n`;
      }
      await write(parts());
      const answers = await ask(at(), ...(question === '' ? [] : [question]));
      assertSmall(answers);
      assert.deepEqual([answers.entries, answers.depth, answers.problems], [2, 2, []]);
      if (question === 'context') assert.equal(answers.messages, 2);
      if (question === 'markdown') assert.ok(answers.markdownBytes! < 101_000);
      if (question === 'manager') assert.equal(answers.branch, 2);
      if (question === 'body') assert.ok(answers.body! > 80 * MB);
    });
  }

  it('300 MB without a line break, and 400,000 lines that are none', async () => {
    const file = await open(at(), 'w');
    await file.write(HEADER.repeat(2).slice(0, -1));
    await file.truncate(300 * MB);
    await file.close();
    const hole = await ask(at());
    assertSmall(hole);
    assert.deepEqual([hole.refused, hole.entries, hole.problems], [undefined, 0, [{ code: 'duplicate-header', line: 2 }]]);

    const bad = 'x\n'.repeat(100_000);
    for (const head of [HEADER, '']) {
      await write([head, ...Array<string>(4).fill(bad), '{"type":"custom","id":"last","parentId":null}\n']);
      const answers = await ask(at());
      assertSmall(answers);
      if (head === '') {
        assert.equal(answers.refused, 'not-a-session');
        continue;
      }
      assert.deepEqual([answers.entries, answers.leafId, answers.problems!.length], [1, 'last', 1000]);
      assert.deepEqual(answers.problems!.at(-1), { code: 'bad-line', line: 1001, count: 400_000 - 999 });
    }
  });

  it('ids that are names of every object, or of 10,000 characters', async () => {
    const ids = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'x'.repeat(10_000), 'ü'.repeat(10_000), '\ud800', 'null'];
    const built = session();
    let parent: string | null = null;
    for (const id of ids.filter((name) => name !== '')) {
      built
        .user(`I am ${id.slice(0, 20)}`, { id, parentId: parent })
        .label(id, `label of ${id.slice(0, 20)}`, { id: `label-${id}`, parentId: id });
      parent = id;
    }
    built.branchFrom(parent).assistant('end', { id: 'end' });
    const answers = await ask(await folder.write('big.jsonl', built.text()), 'context', 'markdown', 'manager');
    assertSmall(answers);
    assert.deepEqual([answers.entries, answers.depth, answers.messages, answers.branch, answers.problems], [17, 9, 9, 9, []]);
  });
});
