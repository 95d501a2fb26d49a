import assert from 'node:assert/strict';
import { editsOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import type { FileEdit } from '../../../../../src/core/format/lineOrigins/record/fileEdit';
import { finishSteps } from '../../../../../src/core/format/session/steps';
import { applyEdit } from '../../../../../src/core/format/lineOrigins/versions/applyEdit';
import { countPauses } from '../../../../fixtures/countPauses';

/** What pi's edit tool records. */
function made(plain: string, args: Record<string, unknown>, details?: Record<string, unknown>): string {
  const call = { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'a.ts', ...args } };
  const [edit] = editsOfCall(call, { role: 'toolResult', content: [], details });
  assert.ok(edit);
  const applied = finishSteps(applyEdit(plain, edit));
  return applied.kind === 'applied' ? applied.text : applied.kind;
}

describe('An edit of a known text', () => {
  it('replaces what is there once', () => {
    assert.equal(made('one\ntwo\nthree\n', { oldText: 'two', newText: 'TWO' }), 'one\nTWO\nthree\n');
    assert.equal(made('ünï', { oldText: 'nï', newText: 'n' }), 'ün');
    assert.equal(made('a\nb\n', { oldText: 'a\nb\n', newText: '' }), '');
    assert.equal(made('a\n', { oldText: 'a\r\n', newText: 'b\r\n' }), 'b\n');
  });

  it('found another text if its own isn’t there', () => {
    assert.equal(made('alpha\nbeta\n', { oldText: 'two', newText: 'TWO' }), 'missing');
    assert.equal(
      made('one\ntwo\n', {
        edits: [
          { oldText: 'one', newText: '1' },
          { oldText: 'three', newText: '3' },
        ],
      }),
      'missing',
    );
  });

  it('found another text if its own is there twice, because tools refuse that', () => {
    assert.equal(made('two\ntwo\n', { oldText: 'two', newText: 'TWO' }), 'missing');
    assert.equal(made('aaa', { oldText: 'aa', newText: 'b' }), 'missing');
  });

  it('isn’t clear where nothing says what was replaced', () => {
    assert.equal(made('two\n', { oldText: '', newText: 'TWO' }), 'unclear');
    assert.equal(made('two\n', { input: '[a.ts#A1B2]\nPUT 1.=1:\n+TWO' }), 'unclear');
  });

  it('replaces all where the call says so', () => {
    assert.equal(made('two\ntwo\n', { old_string: 'two', new_string: 'x', replace_all: true }), 'x\nx\n');
  });

  it('is searched and replaced in steps, however long a line is and however often a text is there', () => {
    const replacing = (before: string, times: number): FileEdit => ({
      file: 'a.ts',
      hunks: [],
      replacements: Array.from({ length: times }, () => ({ before, after: before, all: true })),
      isCertain: true,
    });
    const pausesOf = (plain: string, edit: FileEdit) => countPauses(applyEdit(plain, edit)).pauses;
    const line = 'ab'.repeat(500_000);
    assert.ok(pausesOf(`${line}${line}`, replacing('ab'.repeat(1000), 1)) >= pausesOf(line, replacing('ab'.repeat(1000), 1)) + 2);
    assert.ok(pausesOf('a\n'.repeat(50_000), replacing('a', 1)) > 10);
    assert.ok(pausesOf('a', replacing('a', 500)) > 500);
    const many = countPauses(applyEdit('a\n'.repeat(20_000), replacing('a', 1000)));
    assert.equal(many.result.kind, 'unclear', 'too many places');
    assert.ok(many.pauses < 1000);
    const across = `${'a'.repeat(512 * 1024 - 3)}needle${'a'.repeat(20)}`;
    const found = finishSteps(applyEdit(across, { ...replacing('needle' + 'a'.repeat(20), 1) }));
    assert.equal(found.kind, 'applied', 'a text where one step ends and the next begins');
  });

  it('replaces several texts in one text, or each in what the one before left', () => {
    const edits = (...pairs: [string, string][]) => ({ edits: pairs.map(([oldText, newText]) => ({ oldText, newText })) });
    assert.equal(made('one\ntwo\n', edits(['one', '1'], ['two', '2'])), '1\n2\n');
    assert.equal(made('one\ntwo\n', edits(['one', '1'], ['1', '2'])), '2\ntwo\n');
    assert.equal(made('a b\n', edits(['a', 'b'], ['b', 'c'])), 'b c\n');
    assert.equal(made('a c\n', edits(['a', 'b c'], ['c', 'd'])), 'b c d\n');
  });

  it('changes lines at their recorded place only', () => {
    const patch = '@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n';
    assert.equal(made('a\nb\nc\nd\n', {}, { patch }), 'a\nb\nC\nd\n');
    assert.equal(made('new\na\nb\nc\nd\n', {}, { patch }), 'missing');
    assert.equal(made('new\na\nb\nc\nd\n', { oldText: 'c', newText: 'C' }, { patch }), 'missing');
  });

  it('changes lines at the ends of a text, with and without a last line break', () => {
    const patched = (plain: string, patch: string) => made(plain, {}, { patch });
    assert.equal(patched('a\nb', '@@ -1,1 +1,0 @@\n-a'), 'b');
    assert.equal(patched('a\nb', '@@ -2,1 +2,1 @@\n-b\n+B'), 'a\nB');
    assert.equal(patched('a', '@@ -1,1 +0,0 @@\n-a'), '');
    assert.equal(patched('', '@@ -0,0 +1,1 @@\n+a'), 'a\n');
    assert.equal(patched('a\n', '@@ -1,0 +2,1 @@\n+b'), 'a\nb\n');
    assert.equal(patched('a', '@@ -1,0 +2,1 @@\n+b'), 'a\nb');
    assert.equal(patched('a', '@@ -2,0 +3,1 @@\n+b'), 'missing');
    assert.equal(patched('a\nbc', '@@ -2,1 +2,1 @@\n-b\n+B'), 'missing');
    assert.equal(patched('a\nb', '@@ -2,2 +2,1 @@\n-b\n-c\n+B'), 'missing');
  });

  it('changes several stretches, whichever text their numbers count', () => {
    const unified = '@@ -1,1 +1,2 @@\n-a\n+A\n+A2\n@@ -3,1 +4,1 @@\n-c\n+C\n';
    assert.equal(made('a\nb\nc\n', {}, { patch: unified }), 'A\nA2\nb\nC\n');
    assert.equal(made('a\nb\nc\nd\n', {}, { diff: '-1|a\n+1|A\n+2|A2\n…\n 4|c\n-5|d\n+5|D' }), 'A\nA2\nb\nc\nD\n');
  });

  it('changes lines without a place if they are there once', () => {
    const input = (...lines: string[]) => ({
      input: ['*** Begin Patch', '*** Update File: a.ts', '@@', ...lines, '*** End Patch'].join('\n'),
    });
    assert.equal(made('a\nb\n', input('-b', '+B')), 'a\nB\n');
    assert.equal(made('b\nb\n', input('-b', '+B')), 'unclear');
    assert.equal(made('a\n', input('-b', '+B')), 'missing');
  });
});
