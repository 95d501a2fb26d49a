import assert from 'node:assert/strict';
import type { Entry } from '../../../src/core/format/entry/entry';
import { FileChangeCollector, type FileChange } from '../../../src/core/format/context/fileChanges';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { finishSteps } from '../../../src/core/format/session/steps';

const changesOf = (builder: SessionBuilder, readsWhole = true): FileChange[] => {
  const collector = new FileChangeCollector('/work/demo', readsWhole);
  for (const line of builder.lines().slice(1)) finishSteps(collector.add(JSON.parse(line) as Entry));
  return collector.changes();
};
const shown = (builder: SessionBuilder, readsWhole?: boolean): string[] =>
  changesOf(builder, readsWhole).map(({ file, certainty, before, after }) => `${file} ${certainty}: ${before} > ${after}`);
const edit = (oldText: string, newText: string, path = 'a.ts'): object => ({ path, edits: [{ oldText, newText }] });

describe('Changes of files on a branch', () => {
  it('are exact if the file was read as a whole before, and each edit applies at one place', () => {
    const builder = session()
      .tool('read', { path: 'a.ts' }, 'one two')
      .tool('edit', { ...edit('two', 'three', '/work/demo/a.ts') })
      .tool('edit', { path: './a.ts', oldText: 'one', newText: 'four' });
    assert.deepEqual(changesOf(builder), [
      { file: 'a.ts', certainty: 'exact', before: 'one two', after: 'four three', entryIds: [entryId(3), entryId(5)] },
    ]);
  });

  it('are the changed parts only if the text isn’t known or an edit fits it nowhere or twice', () => {
    const parts = ['a.ts parts: b\n⋯\nd > c\n⋯\ne'];
    const edits = (builder: SessionBuilder): SessionBuilder =>
      builder.tool('edit', { ...edit('b', 'c') }).tool('edit', { ...edit('d', 'e') });
    assert.deepEqual(shown(edits(session())), parts);
    assert.deepEqual(shown(edits(session().tool('read', { path: 'a.ts' }, 'b b d'))), parts);
    assert.deepEqual(shown(edits(session().tool('read', { path: 'a.ts' }, 'b'))), parts);
    for (const args of [
      { path: 'a.ts', offset: 2 },
      { path: 'a.ts', limit: 9 },
    ])
      assert.deepEqual(shown(edits(session().tool('read', args, 'b d'))), parts);
    const cut = { message: { details: { truncation: { truncated: true } } } };
    assert.deepEqual(shown(edits(session().tool('read', { path: 'a.ts' }, 'b d', cut))), parts);
    assert.deepEqual(shown(edits(session().tool('read', { path: 'a.ts' }, 'b d')), false), parts, 'of programs that number the lines');
  });

  it('have no text before if the file was only written', () => {
    const builder = session()
      .tool('write', { path: 'a.ts', content: 'b' })
      .tool('edit', { ...edit('b', 'c') });
    assert.deepEqual(shown(builder), ['a.ts unknown-before:  > c']);
    assert.deepEqual(
      shown(
        session()
          .tool('edit', { ...edit('x', 'y') })
          .tool('write', { path: 'a.ts', content: 'b' }),
      ),
      ['a.ts unknown-before:  > b'],
    );
    assert.deepEqual(shown(session().tool('read', { path: 'a.ts' }, 'b').tool('write', { path: 'a.ts', content: 'c' })), [
      'a.ts exact: b > c',
    ]);
  });

  it('are doubtful if a command ran between the reading and the change, unless the file was read again', () => {
    const read = (builder: SessionBuilder, text: string): SessionBuilder => builder.tool('read', { path: 'a.ts' }, text);
    const change = (builder: SessionBuilder): SessionBuilder => builder.tool('edit', { ...edit('b', 'c') });
    assert.deepEqual(shown(change(read(session(), 'b').tool('bash', { command: 'x' }))), ['a.ts commands: b > c']);
    assert.deepEqual(shown(change(read(session(), 'b').bash('x'))), ['a.ts commands: b > c']);
    assert.deepEqual(shown(change(read(session(), 'b').tool('unheard', {}))), ['a.ts commands: b > c']);
    assert.deepEqual(shown(change(read(session(), 'b').tool('grep', {}))), ['a.ts exact: b > c']);
    assert.deepEqual(shown(change(read(read(session(), 'b').bash('x'), 'b'))), ['a.ts exact: b > c']);
    assert.deepEqual(shown(change(read(session(), 'b')).bash('x')), ['a.ts exact: b > c'], 'as the change left it');
    assert.deepEqual(shown(read(change(read(session(), 'b')), 'd')), ['a.ts commands: b > d']);
  });

  it('are none for failed and unanswered calls, nor for a file that is as it was', () => {
    const failed = { message: { isError: true } };
    assert.deepEqual(shown(session().tool('edit', { ...edit('b', 'c') }, 'no', failed)), []);
    assert.deepEqual(
      shown(session().assistant([{ type: 'toolCall', id: 'x', name: 'write', arguments: { path: 'p', content: 'c' } }])),
      [],
    );
    assert.deepEqual(
      shown(
        session()
          .tool('read', { path: 'a.ts' }, 'b')
          .tool('edit', { ...edit('b', 'c') })
          .tool('edit', { ...edit('c', 'b') }),
      ),
      [],
    );
  });

  it('are found in patches: added, changed, moved and deleted files', () => {
    const patch = (...lines: string[]): object => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
    const builder = session()
      .tool('read', { path: 'a.ts' }, 'one\ntwo\nthree\n')
      .tool('read', { path: 'gone.ts' }, 'gone\n')
      .tool('apply_patch', { ...patch('*** Add File: new.ts', '+new', '*** Update File: a.ts', '@@', ' one', '-two', '+2') })
      .tool('apply_patch', { ...patch('*** Delete File: gone.ts') })
      .tool('apply_patch', { ...patch('*** Update File: b.ts', '*** Move to: c.ts', '@@', '-b', '+c') });
    assert.deepEqual(shown(builder), [
      'a.ts exact: one\ntwo\nthree\n > one\n2\nthree\n',
      'gone.ts exact: gone\n > ',
      'new.ts unknown-before:  > new\n',
      'c.ts parts: b > c',
    ]);
    const within = session()
      .tool('read', { path: 'a.ts' }, 'two\ntwofold')
      .tool('apply_patch', { ...patch('*** Update File: a.ts', '@@', '-fold', '+2') });
    assert.deepEqual(shown(within), ['a.ts parts: fold > 2'], 'whole lines only');
  });

  it('of a file that another one replaces go on: both were changed, and the text before is that of the replaced one', () => {
    const move = { input: ['*** Begin Patch', '*** Update File: a.ts', '*** Move to: b.ts', '@@', '-a', '+c', '*** End Patch'].join('\n') };
    const read = session().tool('read', { path: 'a.ts' }, 'a').tool('read', { path: 'b.ts' }, 'b');
    const edited = read.tool('edit', edit('b', 'x', 'b.ts') as Record<string, unknown>).tool('apply_patch', move);
    assert.deepEqual(changesOf(edited), [
      { file: 'b.ts', certainty: 'exact', before: 'b', after: 'c', entryIds: [entryId(5), entryId(7)] },
    ]);
    assert.deepEqual(
      shown(session().tool('read', { path: 'a.ts' }, 'a').tool('write', { path: 'b.ts', content: 'x' }).tool('apply_patch', move)),
      ['b.ts unknown-before:  > c'],
    );
    assert.deepEqual(
      shown(
        session()
          .tool('edit', { ...edit('b', 'x', 'b.ts') })
          .tool('apply_patch', move),
      ),
      ['b.ts parts: b\n⋯\na > x\n⋯\nc'],
    );
    const ran = session().tool('read', { path: 'b.ts' }, 'b').bash('x').tool('read', { path: 'a.ts' }, 'a').tool('apply_patch', move);
    assert.deepEqual(shown(ran), ['b.ts commands: b > c']);
  });

  it('have the whole texts that oh-my-pi records with a patch by line numbers', () => {
    const details = { path: '/work/demo/a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n', diff: ' 1|one\n-2|two\n+2|2' };
    const builder = session().tool('edit', { input: '[a.ts#A1B2]\nPUT 2.=2:\n+2' }, 'Updated', { message: { details } });
    assert.deepEqual(shown(builder, false), ['a.ts exact: one\ntwo\n > one\n2\n']);
    const numbered = session().tool('edit', { input: '[a.ts#A1B2]\nPUT 2.=2:\n+2' }, 'Updated', {
      message: { details: { path: 'a.ts', diff: details.diff } },
    });
    assert.deepEqual(shown(numbered, false), ['a.ts parts: one\ntwo > one\n2']);
  });

  it('are bounded, and nothing but text in any arguments', () => {
    const many = session();
    for (let n = 0; n < 510; n++) many.tool('write', { path: `f${n}`, content: 'x' });
    assert.equal(changesOf(many).length, 500);
    const long = 'x'.repeat(1_000_001);
    const [change] = changesOf(session().tool('write', { path: 'a.ts', content: long }));
    assert.deepEqual([change?.certainty, change?.after], ['parts', '']);
    const odd = session()
      .tool('edit', { path: 'a.ts', edits: [null, 3, { oldText: 1 }] })
      .tool('write', { path: 5 })
      .tool('edit', { file: '__proto__', oldText: 'a', newText: 'b' });
    assert.deepEqual(shown(odd), ['a.ts parts:  > ', '__proto__ parts: a > b']);
  });
});
