import assert from 'node:assert/strict';
import { editsOfCall, readingOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import { parseNumberedDiff, parseUnifiedDiff } from '../../../../../src/core/format/lineOrigins/record/patchText';
import { finishSteps } from '../../../../../src/core/format/session/steps';

const call = (name: string, args: Record<string, unknown>) => ({ type: 'toolCall', id: 'c', name, arguments: args });
const done = (details?: unknown) => ({ role: 'toolResult', content: [{ type: 'text', text: 'ok' }], details, isError: false });
const NOTHING = { hunks: [], replacements: [] };

describe('Edits of a call', () => {
  it('are the whole text of a write', () => {
    assert.deepEqual(editsOfCall(call('write', { path: 'a', content: 'x' }), done()), [
      { ...NOTHING, file: 'a', text: 'x', isCertain: true },
    ]);
  });

  it('are uncertain without a result, and none if the call failed', () => {
    assert.equal(editsOfCall(call('write', { path: 'a', content: 'x' }), undefined)[0]?.isCertain, false);
    assert.deepEqual(editsOfCall(call('write', { path: 'a', content: 'x' }), { ...done(), isError: true }), []);
    assert.deepEqual(editsOfCall({ ...call('write', { path: 'a', content: 'x' }), status: 'error' }, {}), []);
  });

  it('are pi’s replacements in all their spellings', () => {
    const one = { before: 'a', after: 'b', all: false };
    for (const args of [
      { oldText: 'a', newText: 'b' },
      { edits: [{ oldText: 'a', newText: 'b' }] },
      { edits: '[{"oldText":"a","newText":"b"}]' },
      { edits: { oldText: 'a', newText: 'b' } },
      { old_string: 'a', new_string: 'b' },
    ])
      assert.deepEqual(editsOfCall(call('edit', { path: 'f', ...args }), done())[0]?.replacements, [one]);
    assert.equal(
      editsOfCall(call('edit', { path: 'f', old_string: 'a', new_string: 'b', replace_all: true }), done())[0]?.replacements[0]?.all,
      true,
    );
  });

  it('have the difference of pi’s result', () => {
    const [edit] = editsOfCall(
      call('edit', { path: 'f', oldText: 'a', newText: 'b' }),
      done({ patch: '--- f\n+++ f\n@@ -3,2 +3,2 @@\n x\n-a\n+b\n' }),
    );
    assert.deepEqual(edit?.hunks, [
      {
        start: 2,
        lines: [
          { sign: ' ', text: 'x' },
          { sign: '-', text: 'a' },
          { sign: '+', text: 'b' },
        ],
      },
    ]);
  });

  it('are the whole texts of oh-my-pi’s results, for each file', () => {
    const details = {
      perFileResults: [
        { path: 'a', oldText: '1', newText: '2' },
        { path: 'b', diff: '-1|x\n+1|y' },
        { path: 'c', isError: true, diff: '+1|z' },
      ],
    };
    const edits = editsOfCall(call('edit', { input: '[a#A1B2]\nPUT 1.=1:\n+2\n[b#A1B2]\nPUT 1.=1:\n+y' }), done(details));
    assert.deepEqual(
      edits.map(({ file, before, text, hunks }) => [file, before, text, hunks.length]),
      [
        ['a', '1', '2', 1],
        ['b', undefined, undefined, 1],
      ],
    );
  });

  it('are oh-my-pi’s patches: created, renamed and deleted files', () => {
    const edit = (entry: Record<string, unknown>) => editsOfCall(call('edit', { path: 'f', edits: [entry] }), done())[0];
    assert.equal(edit({ op: 'create', diff: 'x\n' })?.text, 'x\n');
    assert.equal(edit({ op: 'update', rename: 'g', diff: '@@ f\n-a\n+b' })?.movedTo, 'g');
    assert.equal(edit({ op: 'update', diff: '@@ f\n-a\n+b' })?.hunks[0]?.lines.length, 2);
    assert.equal(edit({ op: 'delete' })?.isDeletion, true);
  });

  it('are the files of an envelope', () => {
    const input =
      '*** Begin Patch\n*** Add File: n\n+1\n+2\n*** Update File: u\n*** Move to: v\n@@ def f():\n c\n-a\n+b\n*** Delete File: d\n*** End Patch';
    const edits = editsOfCall(call('apply_patch', { input }), done());
    assert.deepEqual(
      edits.map(({ file, text, movedTo, isDeletion, hunks }) => [file, text, movedTo, isDeletion, hunks[0]?.lines.length]),
      [
        ['n', '1\n2\n', undefined, undefined, undefined],
        ['u', undefined, 'v', undefined, 3],
        ['d', undefined, undefined, true, undefined],
      ],
    );
  });

  it('are none for arguments of any other shape', () => {
    for (const args of [
      {},
      { path: 7 },
      { path: 'f', edits: [null, 7, [], {}] },
      { path: 'f', edits: '{' },
      { input: 7 },
      { input: 'text' },
    ])
      assert.deepEqual(editsOfCall(call('edit', args), done('x')), []);
  });
});

describe('Differences with numbers', () => {
  it('have places if the numbers count up', () => {
    const hunks = finishSteps(parseNumberedDiff('     ...\n  4 a\n- 5 b\n+ 5 c\n  6 d\n     ...\n 19 e\n+20 f'));
    assert.deepEqual(
      hunks.map(({ start, lines }) => [start, lines.length]),
      [
        [3, 4],
        [18, 2],
      ],
    );
  });

  it('have none where old versions of pi counted wrongly', () => {
    assert.deepEqual(
      finishSteps(parseNumberedDiff('     ...\n   1 a\n   2 b\n- 32 c\n+ 32 d')).map(({ start }) => start),
      [undefined],
    );
  });

  it('keep lines that begin with signs', () => {
    assert.deepEqual(
      finishSteps(parseUnifiedDiff('--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n z'))[0]?.lines.map(({ text }) => text),
      ['-- x', '++ y', 'z'],
    );
  });
});

describe('Unified differences', () => {
  it('have places, also where nothing was replaced', () => {
    assert.deepEqual(
      finishSteps(parseUnifiedDiff('@@ -3,0 +4,1 @@\n+a\n@@ -5 +7 @@\n-b\n+c\n@@ def f():\n-d')).map(({ start }) => start),
      [3, 4, undefined],
    );
  });
});

describe('Readings of a call', () => {
  const read = (text: string, args: Record<string, unknown> = {}) =>
    readingOfCall(call('read', { path: 'f', ...args }), { role: 'toolResult', content: [{ type: 'text', text }], isError: false });

  it('are whole, or parts', () => {
    assert.deepEqual(read('a\nb'), { file: 'f', text: 'a\nb', isWhole: true });
    assert.equal(read('a\nb', { offset: 2 })?.isWhole, false);
    assert.deepEqual(read('a\n\n[Showing lines 1-1 of 5. Use offset=2 to continue.]'), { file: 'f', text: 'a', isWhole: false });
  });

  it('have no numbers and headers of oh-my-pi', () => {
    assert.deepEqual(read('[f#A1B2]\n1:a\n2:b'), { file: 'f', text: 'a\nb', isWhole: false });
  });
});
