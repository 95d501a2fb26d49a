import assert from 'node:assert/strict';
import { claiming } from '../../../../../src/core/format/lineOrigins/claimLines';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import { editsOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import { MAX_EDIT_WORK, type FileEvent, type Replayed } from '../../../../../src/core/format/lineOrigins/replay/replay';
import { replaying } from '../../../../../src/core/format/lineOrigins/replay/replayFile';
import { workSteps, type Work } from '../../../../../src/core/format/lineOrigins/work';
import { runSteps } from '../../../../../src/core/format/session/steps';
import { manyChanges } from '../../../../fixtures/manyChanges';

/** Counts what is asked of each line, so that a part of the work that does more than it says is noticed. */
class CountedTexts extends LineTexts {
  asked = 0;
  override numberOf(text: string): number {
    this.asked++;
    return super.numberOf(text);
  }
  override text(line: number): string {
    this.asked++;
    return super.text(line);
  }
  override isDistinctive(line: number): boolean {
    this.asked++;
    return super.isDistinctive(line);
  }
  override shapeOf(line: number): number {
    this.asked++;
    return super.shapeOf(line);
  }
}

interface Measured {
  readonly result: Replayed;
  /** The amount of all work. */
  readonly amount: number;
  /** The most that was asked of lines without a pause, and in all. */
  readonly most: number;
  readonly asked: number;
}

function* replayedAndClaimed(events: readonly FileEvent[], text: string, texts: LineTexts): Work<Replayed> {
  const current = yield* texts.numbering(text);
  // Without a text, nothing is known before the first edit.
  const result = yield* replaying(events, text === '' ? undefined : current, texts);
  yield* claiming(result, current, texts);
  return result;
}

function measured(events: readonly FileEvent[], text: string): Measured {
  const texts = new CountedTexts();
  const work = replayedAndClaimed(events, text, texts);
  let [amount, most, before] = [0, 0, 0];
  let next = work.next();
  for (; next.done !== true; next = work.next()) {
    amount += next.value + 1;
    most = Math.max(most, texts.asked - before);
    before = texts.asked;
  }
  return { result: next.value, amount, most, asked: texts.asked };
}

const RESULT = { role: 'toolResult', toolCallId: 'c' };
const call = (name: string, args: object, details: object = {}): FileEvent[] =>
  editsOfCall({ type: 'toolCall', id: 'c', name, arguments: { path: 'a.ts', ...args } }, { ...RESULT, details }).map((edit) => ({
    kind: 'edit',
    edit,
  }));
const list = (count: number, each: (at: number) => string): string[] => Array.from({ length: count }, (_, at) => each(at));
const write = (lines: readonly string[]): FileEvent[] => call('write', { content: lines.join('\n') });
const patch = (hunks: readonly string[]): FileEvent[] =>
  call('apply_patch', { input: ['*** Begin Patch', '*** Update File: a.ts', ...hunks, '*** End Patch'].join('\n') });
const line = (at: number): string => `const value${at} = ${at};`;
const header = (at: number, old = 1): string => `@@ -${at + 1},${old} +${at + 1},1 @@`;

/** For a number of lines, what one edit with as many parts found, and the edit. */
type Case = (count: number) => { readonly before: readonly string[]; readonly edit: readonly FileEvent[] };

const LINEAR: Readonly<Record<string, Case>> = {
  'a patch without places that fits': (count) => ({
    before: list(count, line),
    edit: patch(list(count, (at) => `@@\n-${line(at)}\n+changed${at}`)),
  }),
  'a patch without places that fits nowhere': (count) => ({
    before: list(count, line),
    edit: patch(list(count, (at) => `@@\n-absent${at}\n+changed${at}`)),
  }),
  'a patch by hashes': (count) => ({
    before: list(count, line),
    edit: call('edit', { input: ['[a.ts#AB12]', ...list(count, (at) => `SWAP ${at}..${at}:\n+changed${at}`)].join('\n') }),
  }),
  'a difference that fits': (count) => ({
    before: list(count, line),
    edit: call('edit', {}, { patch: list(count, (at) => `${header(at)}\n-${line(at)}\n+changed${at}`).join('\n') }),
  }),
  'a difference that fits nowhere': (count) => ({
    before: list(count, line),
    edit: call('edit', {}, { patch: list(count, (at) => `${header(at)}\n-absent${at}\n+changed${at}`).join('\n') }),
  }),
  'a difference of a text that isn’t known': (count) => ({
    before: [],
    edit: call('edit', {}, { patch: list(count, (at) => `${header(at * 9)}\n-${line(at)}\n+changed${at}`).join('\n') }),
  }),
  'a text that is replaced in all lines': (count) => ({
    before: list(count, () => 'the same line'),
    edit: call('edit', { oldText: 'same', newText: 'other', all: true }),
  }),
  'a text of two lines that is replaced everywhere': (count) => ({
    before: list(count, () => 'the same line'),
    edit: call('edit', { oldText: 'line\nthe', newText: 'line\n\nthe', all: true }),
  }),
};

const HOSTILE: Readonly<Record<string, Case>> = {
  'a patch of which half of each part fits': (count) => {
    const { lines, hunks } = manyChanges(count);
    return { before: lines, edit: patch(hunks) };
  },
  'a patch of equal lines that nearly fits': (count) => ({
    before: list(count, () => 'the same line'),
    edit: patch(list(count, (at) => `@@\n-the same line\n-the same line\n-absent\n+changed${at}`)),
  }),
  'a difference that fits half near its places': (count) => ({
    before: list(count, line),
    edit: call('edit', {}, { patch: list(count, (at) => `${header(at, 2)}\n-${line(at)}\n-absent\n+changed${at}`).join('\n') }),
  }),
  'many texts that are replaced in all lines': (count) => ({
    before: list(count, () => 'the same line'),
    edit: call('edit', { edits: list(1000, (at) => `same${at}`).map((newText) => ({ oldText: 'same', newText, all: true })) }),
  }),
  'many texts that overlap': (count) => ({
    before: list(count, () => 'ab'),
    edit: call('edit', { edits: list(1000, (at) => `x${at}`).map((newText) => ({ oldText: 'ab\nab\na', newText, all: true })) }),
  }),
  'many texts, the last of which isn’t there': (count) => ({
    before: list(count, line),
    edit: call('edit', { edits: list(1000, (at) => ({ oldText: at === 999 ? 'absent' : line(at), newText: `x${at}` }) as never) }),
  }),
};

describe('The work of replaying one edit', () => {
  for (const [name, make] of Object.entries(LINEAR))
    it(`grows with the edit: ${name}`, () => {
      const of = (count: number): Measured => {
        const { before, edit } = make(count);
        return measured([...(before.length > 0 ? write(before) : []), ...edit], before.join('\n'));
      };
      const [few, many] = [of(500), of(4000)];
      const ratio = many.amount / few.amount;
      assert.ok(ratio < 12, `8 times the lines took ${ratio.toFixed(1)} times the work`);
      assert.ok(many.asked / few.asked < 12, `8 times the lines were looked at ${(many.asked / few.asked).toFixed(1)} times as often`);
    });

  for (const [name, make] of Object.entries(HOSTILE))
    it(`is bounded, and has pauses: ${name}`, () => {
      const { before, edit } = make(4000);
      const { amount, most } = measured([...write(before), ...edit], before.join('\n'));
      assert.ok(amount < MAX_EDIT_WORK * 1.5, `took ${amount}`);
      assert.ok(most < 25_000, `${most} lines were looked at without a pause`);
    });

  it('leaves an edit beyond its limit without a place: its lines are likely, and the document isn’t the file’s text', () => {
    const { before, edit } = HOSTILE['a patch of which half of each part fits']!(8000);
    const { result } = measured([...write(before), ...edit], before.join('\n'));
    assert.equal(result.document.lines.length, before.length);
    assert.equal(result.isComplete, false);
    assert.equal(result.fragments.filter(({ origin }) => origin === 1).length, 8000);
  });

  it('can be cancelled within one edit', async () => {
    const { before, edit } = HOSTILE['a patch of which half of each part fits']!(4000);
    const texts = new LineTexts();
    let pauses = 0;
    const pause = (): Promise<void> => (++pauses === 20 ? Promise.reject(new Error('cancelled')) : Promise.resolve());
    await assert.rejects(runSteps(workSteps(replaying([...write(before), ...edit], undefined, texts)), pause), /cancelled/);
  });
});
