import assert from 'node:assert/strict';
import { editsOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import { finishSteps } from '../../../../../src/core/format/session/steps';
import type { VersionEvent } from '../../../../../src/core/format/lineOrigins/versions/foundVersion';
import { VersionFinder } from '../../../../../src/core/format/lineOrigins/versions/versionFinder';
import { wholeText } from '../../../../../src/core/format/lineOrigins/versions/wholeText';
import { versionHistory } from '../../../../fixtures/versionHistory';

const call = (name: string, args: Record<string, unknown>, details?: unknown, hasResult = true): VersionEvent => {
  const given = { type: 'toolCall', id: 'c', name, arguments: { path: 'f', ...args } };
  const [edit] = editsOfCall(given, hasResult ? { role: 'toolResult', content: [], details } : undefined);
  assert.ok(edit);
  return { kind: 'edit', edit, isAway: false };
};
const write = (content: string): VersionEvent => call('write', { content });
const edit = (oldText: string, newText: string, details?: unknown): VersionEvent => call('edit', { oldText, newText }, details);
const read = (text: string, from?: number, isEndRecorded = true): VersionEvent => ({
  kind: 'reading',
  shown: { file: 'f', text, isWhole: from === undefined, from: from ?? 0, isEndRecorded },
});
const commit = (text: string): VersionEvent => ({ kind: 'commit', text });

interface Given {
  readonly disk?: string;
  /** The state some time after the event; by default at its moment. */
  readonly isLater?: boolean;
  readonly moment?: 'next';
}

/** The state after the n-th event, from 0. */
function at(n: number, events: readonly VersionEvent[], { disk, isLater = false, moment }: Given = {}): string {
  const finder = new VersionFinder(n, moment ?? (isLater ? 'later' : 'event'), disk === undefined ? undefined : wholeText(disk));
  for (const event of events) finishSteps(finder.add(event));
  const found = finder.result();
  return found.kind === 'gap' ? found.gap : `${found.doubt ?? 'exact'} ${found.isAbsent ? 'absent' : JSON.stringify(found.text)}`;
}

describe('The text at a point of a record', () => {
  it('is a whole reading and the edits after it, whatever was there before', () => {
    const events = [write('alpha\nbeta\n'), read('one\ntwo\nthree\n'), edit('two', 'TWO')];
    assert.equal(at(1, events, { isLater: true, disk: 'one\nTWO\nthree\n' }), 'exact "one\\ntwo\\nthree\\n"');
    assert.equal(at(1, events, { isLater: true }), 'later "one\\ntwo\\nthree\\n"', 'nothing shows what the edit found');
    assert.equal(at(2, events, { disk: 'one\nTWO\nthree\n' }), 'exact "one\\nTWO\\nthree\\n"');
    assert.equal(at(0, events), 'exact "alpha\\nbeta\\n"', 'a write was there, whatever came later');
    assert.equal(at(0, events, { isLater: true }), 'contradicted');
  });

  it('isn’t known after an edit whose text isn’t there', () => {
    const events = [write('alpha\nbeta\n'), edit('alpha', 'ALPHA'), edit('two', 'TWO')];
    assert.equal(at(2, events), 'contradicted');
    assert.equal(at(1, events), 'contradicted', 'nothing says when the file was changed');
    assert.equal(at(0, events), 'exact "alpha\\nbeta\\n"');
    assert.equal(at(1, [edit('a', 'b'), edit('b', 'c')]), 'unrecorded');
  });

  it('isn’t known if a later reading shows other lines', () => {
    const events = [write('a\nb\n'), edit('b', 'B')];
    assert.equal(at(1, [...events, read('x\nB\n')]), 'contradicted');
    assert.equal(at(1, [...events, read('B\nc\n', 1)]), 'contradicted');
    assert.equal(at(1, [...events, read('B\n', 1)], { disk: 'a\nB\n' }), 'exact "a\\nB\\n"');
    assert.equal(at(1, [...events, read('a\nB\n'), read('x\n')], { disk: 'y' }), 'exact "a\\nB\\n"');
    assert.equal(at(1, [...events, write('x\n')], { disk: 'x\n' }), 'exact "a\\nB\\n"', 'nothing contradicts it until it’s overwritten');
  });

  it('isn’t known if a later edit found another text', () => {
    const events = [write('a\nb\nc\n'), edit('b', 'B')];
    const moved = edit('c', 'C', { patch: '@@ -4,1 +4,1 @@\n-c\n+C\n' });
    assert.equal(at(1, [...events, moved]), 'contradicted');
    assert.equal(at(2, [...events, moved]), 'contradicted');
    const whole = call('edit', { old_string: 'c', new_string: 'C' }, { path: 'f', oldText: 'x\nB\nc\n', newText: 'x\nB\nC\n' });
    assert.equal(at(1, [...events, whole]), 'contradicted');
    assert.equal(at(2, [...events, whole], { disk: 'y' }), 'exact "x\\nB\\nC\\n"');
  });

  it('isn’t known if a commit has another text, unless that is what the next edit found', () => {
    const events = [write('a\nb\n'), edit('b', 'B'), commit('x\nB\n')];
    assert.equal(at(1, events), 'contradicted');
    assert.equal(at(3, [...events, edit('x', 'X')], { disk: 'X\nB\n' }), 'exact "X\\nB\\n"');
    assert.equal(at(3, [...events, edit('x', 'X')]), 'later "X\\nB\\n"');
    // Changes that weren't committed.
    assert.equal(at(3, [...events, edit('a', 'A')], { disk: 'A\nB\n' }), 'exact "A\\nB\\n"');
    assert.equal(at(3, [...events, edit('B', 'b')]), 'record "x\\nb\\n"', 'both fit');
    assert.equal(at(1, [commit('a\nb\n'), edit('b', 'B'), commit('a\nB\n')]), 'exact "a\\nB\\n"');
    assert.equal(
      at(1, [...events.slice(0, 2), commit('a\nB\n')], { isLater: true }),
      'later "a\\nB\\n"',
      'it may have been changed before the commit',
    );
    assert.equal(at(0, [commit('a\nb\n'), read('a\nb\n')], { isLater: true }), 'later "a\\nb\\n"', 'the disk may have had another text');
    const edited = [commit('a\nb\n'), edit('b', 'B')];
    assert.equal(at(0, edited, { moment: 'next', disk: 'a\nB\n' }), 'exact "a\\nb\\n"', 'the edit found it');
    assert.equal(at(0, edited, { isLater: true, disk: 'a\nB\n' }), 'later "a\\nb\\n"');
    assert.equal(at(1, [write('a\r\nb\r\n'), edit('b', 'B'), commit('a\nB\n')], { disk: 'a\r\nB\r\n' }), 'exact "a\\r\\nB\\r\\n"');
  });

  it('isn’t known if the disk has a text that no session left', () => {
    const events = [write('a\nb\n'), edit('b', 'B'), edit('a', 'A')];
    assert.equal(at(2, events, { disk: 'A\nB\nmine\n' }), 'contradicted');
    assert.equal(at(1, events, { disk: 'A\nB\nmine\n' }), 'contradicted');
    assert.equal(at(0, events, { disk: 'A\nB\nmine\n' }), 'exact "a\\nb\\n"');
    assert.equal(at(2, events, { disk: 'A\nB\n' }), 'exact "A\\nB\\n"');
    assert.equal(at(2, events), 'later "A\\nB\\n"', 'a file that was removed says nothing');
    assert.equal(at(2, events, { disk: 'a\nb\n' }), 'later "A\\nB\\n"', 'nor one that was set back');
  });

  it('some time after the last edit is only certain if the disk still has it', () => {
    const events = [write('a\n'), edit('a', 'b')];
    const later = (disk?: string): string => at(1, events, { isLater: true, ...(disk === undefined ? {} : { disk }) });
    assert.equal(later('b\n'), 'exact "b\\n"');
    assert.equal(later(), 'later "b\\n"');
    assert.equal(later('a\n'), 'later "b\\n"');
    assert.equal(later('c\n'), 'contradicted');
  });

  it('keeps line breaks and marks, and isn’t certain where those changed', () => {
    const disk = '\uFEFFa\r\nB\r\nC\r\n';
    assert.equal(at(1, [read('\uFEFFa\r\nb\r\n'), edit('b', 'B\nC')], { disk }), `exact ${JSON.stringify('\uFEFFa\r\nB\r\nC\r\n')}`);
    assert.equal(at(1, [read('a\nb'), edit('b', 'ü😀')], { disk: 'a\nü😀' }), 'exact "a\\nü😀"');
    assert.equal(at(1, [read('a\nb'), edit('b', 'B')], { disk: 'a\nB\n' }), 'record "a\\nB"');
    assert.equal(at(1, [read('a\r\nb\n'), edit('b', 'B')]), 'record "a\\nB\\n"');
  });

  it('of lines alone is completed by a later text', () => {
    const events = [read('a\nb', undefined, false), edit('b', 'B')];
    assert.equal(at(1, events), 'record "a\\nB"');
    assert.equal(at(1, events, { disk: 'a\nB\n' }), 'exact "a\\nB\\n"');
    assert.equal(at(1, events, { disk: 'a\r\nB\r\n' }), 'exact "a\\r\\nB\\r\\n"');
    assert.equal(at(1, events, { disk: 'x\nB\n' }), 'contradicted');
    assert.equal(at(2, [write('a\r\nb\r\n'), ...events], { disk: 'a\r\nB\r\n' }), 'exact "a\\r\\nB\\r\\n"');
  });

  it('isn’t certain if a call has no result, or something was redacted', () => {
    const lost = call('edit', { oldText: 'b', newText: 'B' }, undefined, false);
    assert.equal(at(1, [write('a\nb\n'), lost]), 'record "a\\nb\\n"');
    assert.equal(at(1, [write('a\nb\n'), lost], { disk: 'a\nB\n' }), 'contradicted');
    assert.equal(at(1, [write('a\nb\n'), lost], { disk: 'a\nb\n' }), 'exact "a\\nb\\n"');
    assert.equal(at(0, [write('key = [redacted:stripe-key-1]\n')]), 'record "key = [redacted:stripe-key-1]\\n"');
  });

  it('is absent after a deletion or a move to another name, and isn’t known after an edit that isn’t understood', () => {
    const patch = call('apply_patch', { input: '*** Begin Patch\n*** Delete File: f\n*** End Patch' });
    assert.equal(at(1, [write('a\n'), patch]), 'exact absent');
    assert.equal(at(1, [write('a\n'), { ...edit('a', 'b'), isAway: true } as VersionEvent]), 'exact absent');
    assert.equal(at(1, [write('a\n'), patch], { isLater: true }), 'exact absent', 'the disk has no such file');
    assert.equal(at(1, [write('a\n'), patch], { isLater: true, disk: 'b\n' }), 'contradicted');
    assert.equal(at(1, [write('a\n'), patch, write('b\n')], { isLater: true, disk: 'b\n' }), 'exact absent');
    assert.equal(at(1, [write('a\n'), patch, commit('')], { isLater: true, disk: '' }), 'contradicted');
    const unknown: VersionEvent = { kind: 'edit', edit: { file: 'f', hunks: [], replacements: [], isCertain: true }, isAway: false };
    assert.equal(at(1, [write('a\n'), unknown]), 'unrecorded');
    assert.equal(at(2, [write('a\n'), unknown, read('b\n')]), 'exact "b\\n"');
  });

  it('is the true one wherever it’s exact, in generated records', () => {
    let [exact, all] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const { steps, disk } = versionHistory(seed, 40);
      for (const [n, { text, textLater }] of steps.entries()) {
        for (const isLater of [false, true]) {
          // Nothing is asked at the moment of a commit.
          if (!isLater && steps[n]?.event.kind === 'commit') continue;
          const finder = new VersionFinder(n, isLater ? 'later' : 'event', disk === undefined ? undefined : wholeText(disk));
          for (const { event } of steps) finishSteps(finder.add(event));
          const found = finder.result();
          all++;
          if (found.kind === 'gap' || found.doubt !== undefined) continue;
          exact++;
          assert.equal(
            found.isAbsent ? undefined : found.text,
            isLater ? textLater : text,
            `seed ${String(seed)}, event ${String(n)}${isLater ? ', later' : ''}`,
          );
        }
      }
    }
    // Most are known, although others change the file all the time.
    assert.ok(exact > all / 2, `${String(exact)} of ${String(all)}`);
  }).timeout(60_000);
});
