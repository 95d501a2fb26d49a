import assert from 'node:assert/strict';
import { editsOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import { joinReadings } from '../../../../../src/core/format/lineOrigins/versions/joinReadings';
import { textBefore } from '../../../../../src/core/format/lineOrigins/versions/textBefore';
import type { VersionEvent } from '../../../../../src/core/format/lineOrigins/versions/foundVersion';
import { wholeText } from '../../../../../src/core/format/lineOrigins/versions/wholeText';
import { missingFileOfCall, shownTextOfCall } from '../../../../../src/core/format/lineOrigins/record/shownText';
import { finishSteps } from '../../../../../src/core/format/session/steps';

const call = (name: string, args: Record<string, unknown>, details?: unknown): VersionEvent => {
  const given = { type: 'toolCall', id: 'c', name, arguments: { path: 'f', ...args } };
  const [edit] = editsOfCall(given, { role: 'toolResult', content: [], details });
  assert.ok(edit);
  return { kind: 'edit', edit, isAway: false };
};
const edit = (oldText: string, newText: string, details?: unknown): VersionEvent => call('edit', { oldText, newText }, details);
const result = (text: string, more = {}) => ({ role: 'toolResult', content: [{ type: 'text', text }], isError: false, ...more });
const readCall = (args = {}) => ({ type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'f', ...args } });
const read = (text: string, args = {}): VersionEvent => {
  const shown = shownTextOfCall(readCall(args), result(text), true);
  assert.ok(shown);
  return { kind: 'reading', shown };
};

const before = (events: readonly VersionEvent[], at: number, disk?: string): string | undefined => {
  const found = finishSteps(textBefore(events, at, disk === undefined ? undefined : wholeText(disk)));
  return found && (found.isAbsent ? 'absent' : found.text);
};

describe('The text before the first one that is recorded', () => {
  it('is a later one without the edits in between, with its line breaks and mark', () => {
    const patch = '@@ -2,2 +2,3 @@\n-b\n+B\n+BB\n c\n@@ -9,1 +10,1 @@\n-i\n+I\n';
    const events = [edit('a', 'A'), call('edit', { path: 'f' }, { patch })];
    const disk = '\uFEFFA\r\nB\r\nBB\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\nI\r\n';
    assert.equal(before(events, -1, disk), '\uFEFFa\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\ni\r\n');
    assert.equal(before(events, 0, disk), '\uFEFFA\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\ni\r\n');
    assert.equal(before(events, -1, disk.replace('I', 'other')), undefined, 'something else changed it');
    assert.equal(before(events, -1), undefined);
  });

  it('is that of a reading, a commit or an edit that has it', () => {
    assert.equal(before([edit('a', 'A'), read('A\nb\n')], -1, 'x'), 'a\nb\n');
    assert.equal(before([edit('a', 'A'), { kind: 'commit', text: 'A\nb\n' }], -1, 'x'), 'a\nb\n');
    assert.equal(before([edit('a', 'A', { path: 'f', oldText: 'a\nb\n', newText: 'A\nb\n' })], -1, 'x'), 'a\nb\n');
    assert.equal(before([{ kind: 'missing' }], -1, 'x'), 'absent');
  });

  it('isn’t known where nothing shows it', () => {
    assert.equal(before([call('write', { content: 'x' })], -1, 'x'), undefined);
    assert.equal(before([edit('a', 'A'), { kind: 'missing' }], -1, 'x'), undefined);
    assert.equal(before([edit('a', ''), read('b\n')], -1, 'x'), undefined, 'nothing shows where the text was');
    assert.equal(before([{ kind: 'commit', text: undefined }], -1, 'x'), undefined);
    assert.equal(before([edit('a', 'A')], -1, 'A A'), undefined, 'two places');
  });
});

describe('Readings of parts', () => {
  const more = (n: number, from: number): string => `\n\n[${String(n)} more lines in file. Use offset=${String(from)} to continue.]`;
  const texts = (events: readonly VersionEvent[]): (string | undefined)[] =>
    joinReadings(events).map((event) => (event.kind === 'reading' && event.shown.isWhole ? event.shown.text : undefined));

  it('make the whole text together', () => {
    const parts = [read(`a\n\n${more(3, 3)}`, { limit: 3 }), read('c\nd\n', { offset: 4 })];
    assert.deepEqual(texts(parts), [undefined, 'a\n\n\nc\nd\n']);
    assert.deepEqual(texts([parts[1]!, { kind: 'commit', text: 'x' }, parts[0]!]), [undefined, undefined, 'a\n\n\nc\nd\n']);
    const shown = read('b\r\n\n[Showing lines 2-2 of 3. Use offset=3 to continue.]', { offset: 2 });
    assert.deepEqual(texts([read(`a\r${more(2, 2)}`, { limit: 1 }), shown, read('c', { offset: 3 })]), [
      undefined,
      undefined,
      'a\r\nb\r\nc',
    ]);
  });

  it('don’t if lines are missing, differ, or were changed in between', () => {
    const [first, last] = [read(`a\nb${more(3, 3)}`, { limit: 2 }), read('c\nd\n', { offset: 3 })];
    assert.deepEqual(texts([first, read('d\n', { offset: 4 })]), [undefined, undefined]);
    assert.deepEqual(texts([first, read('x\nc\n', { offset: 2 })]), [undefined, undefined]);
    assert.deepEqual(texts([first, edit('a', 'A'), last]), [undefined, undefined, undefined]);
    assert.deepEqual(texts([first, read('c', { offset: 3, limit: 1 })]), [undefined, undefined], 'there may be more');
    assert.deepEqual(texts([read('a\nb\n', { offset: 1 })]), [undefined]);
  });
});

describe('A call that finds no file', () => {
  it('shows that it isn’t there', () => {
    const error = (text: string) => result(text, { isError: true });
    assert.equal(missingFileOfCall(readCall(), error("ENOENT: no such file or directory, access 'f'")), 'f');
    assert.equal(missingFileOfCall(readCall(), error('File not found: f')), 'f');
    assert.equal(missingFileOfCall(readCall(), error('EISDIR: illegal operation on a directory')), undefined);
    assert.equal(missingFileOfCall(readCall(), result('ENOENT')), undefined);
    assert.equal(missingFileOfCall({ ...readCall(), name: 'write' }, error('ENOENT')), undefined);
  });
});
