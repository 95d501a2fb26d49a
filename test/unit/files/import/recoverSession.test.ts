import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { buildSessionContext, createWriter, readSession, recoverSession } from '../../../../src/core/index';
import { session } from '../../../fixtures/build';
import { testFolder } from '../../../fixtures/folder';
import { countingStamp, linesOf, refuses, snapshot } from '../../../fixtures/writes';

describe('A recovered session', () => {
  const folder = testFolder();
  const whole = (): string[] =>
    session({ cwd: '/work/here', parentSession: '/work/parent.jsonl' })
      .user('first', { id: 'first' })
      .assistant('answer', { id: 'answer' })
      .user('second', { id: 'second' })
      .text()
      .trimEnd()
      .split('\n');

  it('has all whole lines byte for byte, names each other line, and leaves the original as it is', async () => {
    const [header = '', first = '', answer = '', second = ''] = whole();
    const torn = second.slice(0, 20);
    const file = await folder.write('damaged.jsonl', [header, first, '{"type":"message",', first, answer, second, torn].join('\n'));
    const before = await snapshot(folder.path);
    const { path, notes } = await recoverSession(file, { stamp: countingStamp() });
    assert.equal(dirname(path), dirname(file));
    assert.deepEqual((await snapshot(folder.path))['damaged.jsonl'], before['damaged.jsonl']);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines.slice(1, 4), [first, answer, second]);
    assert.deepEqual(notes.flatMap((note) => note.lines).sort(), [3, 4, 7]);
    const recovered = await readSession(path);
    assert.deepEqual(recovered.problems, []);
    assert.deepEqual(
      recovered.entries.slice(0, -1).map(({ id }) => id),
      ['first', 'answer', 'second'],
    );
    assert.deepEqual([recovered.header.cwd, recovered.header.parentSession], ['/work/here', '/work/parent.jsonl']);
    assert.notEqual(recovered.header.id, (await readSession(file)).header.id);
    assert.equal((await buildSessionContext(recovered)).messages.length, 3);
  });

  it('has no parent that isn’t in it, where a damaged line named one', async () => {
    const [header = '', , answer = '', second = ''] = whole();
    // A quote is missing in a value, but the line’s id and parent can be read.
    const damaged = answer.replace('"model":"', '"model":');
    const file = await folder.write('damaged.jsonl', `${[header, damaged, second].join('\n')}\n`);
    const { problems, entries } = await readSession(file);
    assert.deepEqual([entries.map(({ parentId }) => parentId), problems.length > 0], [['first', 'answer'], true]);
    const { path } = await recoverSession(file);
    const recovered = await readSession(path);
    assert.deepEqual([recovered.problems, recovered.entries[0]?.id, recovered.entries[0]?.parentId], [[], 'second', null]);
  });

  it('names every bad line, however many there are, in few notes', async () => {
    const [header = '', ...entries] = whole();
    const bad = (count: number): string[] => new Array<string>(count).fill('{"type":');
    const file = await folder.write('damaged.jsonl', [header, ...bad(300), ...entries, ...bad(2), entries[0], ''].join('\n'));
    const { path, notes } = await recoverSession(file);
    const [ten, more, repeated, ...others] = [notes.slice(0, 10), ...notes.slice(10)];
    assert.deepEqual([ten.map(({ lines }) => lines[0]), others], [[2, 3, 4, 5, 6, 7, 8, 9, 10, 11], []]);
    assert.deepEqual([more?.message, more?.count], ['The same in 292 more lines: 12–301, 305–306', 292]);
    assert.match(repeated?.message ?? '', /^Line 307 repeats the ID first/);
    assert.equal(new Set(notes.flatMap(({ lines }) => lines)).size, 303);
    const origin = (await linesOf(path)).at(-1)?.['data'] as { omissions: { message: string }[] };
    assert.deepEqual(
      origin.omissions.map(({ message }) => message),
      notes.map(({ message }) => message),
    );
  });

  it('is the writer’s, with a line of its own at the end', async () => {
    const file = await folder.write('damaged.jsonl', `${whole().join('\n')}\n{"type":\n`);
    const { path } = await createWriter().create('recover', file, (tools) => recoverSession(file, tools));
    assert.equal((await linesOf(path)).length, 5);
  });

  it('is refused where no line is damaged, and where there’s no file', async () => {
    const file = await folder.write('whole.jsonl', `${whole().join('\n')}\n`);
    await refuses(folder.path, 'invalid', () => recoverSession(file));
    await refuses(folder.path, 'not-found', () => recoverSession(join(folder.path, 'none.jsonl')));
  });
});
