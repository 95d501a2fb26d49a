import assert from 'node:assert/strict';
import { OwnMarks, tagName } from '../../../src/tree/view/stored/ownMarks';

/** A state that all windows share. */
function sharedState() {
  const stored = new Map<string, unknown>();
  return {
    stored,
    get: (key: string) => structuredClone(stored.get(key)) as never,
    update: (key: string, value: unknown) => {
      stored.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}

describe('Pins, tags and notes of sessions', () => {
  it('are remembered until they are taken away', async () => {
    const state = sharedState();
    const marks = new OwnMarks(state);
    await marks.change([{ kind: 'pin', ids: ['a', 'b'], isOn: true }], '/a');
    await marks.change([{ kind: 'pin', ids: ['a'], isOn: false }], '/a');
    await marks.change([{ kind: 'tag', ids: ['a', 'b'], tag: 'Größe 🐛', isOn: true }], '/a');
    await marks.change([{ kind: 'tag', ids: ['b'], tag: 'größe 🐛', isOn: false }], '/b');
    await marks.change([{ kind: 'note', ids: ['b'], text: ' Ask\nAnna ' }], '/b');
    for (const one of [marks, new OwnMarks(state)]) {
      assert.deepEqual([one.isPinned('a'), one.isPinned('b')], [false, true]);
      assert.deepEqual([one.of('a'), one.of('b'), one.of('c')], [{ tags: ['Größe 🐛'] }, { note: 'Ask Anna' }, {}]);
      assert.deepEqual(one.allTags(), ['Größe 🐛']);
    }
    await marks.change([{ kind: 'note', ids: ['b'], text: '' }], '/b');
    await marks.change([{ kind: 'tag', ids: ['a'], tag: 'Größe 🐛', isOn: false }], '/a');
    assert.deepEqual(state.stored.get('sessionTree.marks'), {}, 'nothing is stored of sessions without marks');
  });

  it('of another window are kept, and taken in when the window gets the focus', async () => {
    const state = sharedState();
    const [one, other] = [new OwnMarks(state), new OwnMarks(state)];
    await one.change([{ kind: 'pin', ids: ['a'], isOn: true }], '/a');
    await one.change([{ kind: 'tag', ids: ['a'], tag: 'x', isOn: true }], '/a');
    await other.change([{ kind: 'pin', ids: ['b'], isOn: true }], '/b');
    await other.change([{ kind: 'tag', ids: ['a'], tag: 'y', isOn: true }], '/a');
    assert.deepEqual(state.stored.get('sessionTree.pinned'), ['a', 'b']);
    assert.deepEqual(state.stored.get('sessionTree.marks'), { a: { tags: ['x', 'y'] } });
    assert.deepEqual([one.reload(), one.reload()], [true, false]);
    assert.deepEqual([one.isPinned('b'), one.of('a').tags], [true, ['x', 'y']]);
  });

  it('are taken back as one, newest first, with what another window changed meanwhile kept', async () => {
    const state = sharedState();
    const marks = new OwnMarks(state, () => 5);
    await marks.change([{ kind: 'tag', ids: ['b'], tag: 'x', isOn: true }], '/b');
    await marks.change(
      [
        { kind: 'tag', ids: ['a', 'b', 'c'], tag: 'x', isOn: true },
        { kind: 'tag', ids: ['a', 'b', 'c'], tag: 'y', isOn: true },
      ],
      '/a',
    );
    await marks.change([{ kind: 'note', ids: ['a'], text: 'Then' }], '/a');
    await marks.change([{ kind: 'note', ids: ['a'], text: 'Now' }], '/a');
    await new OwnMarks(state).change([{ kind: 'tag', ids: ['c'], tag: 'z', isOn: true }], '/c');
    assert.deepEqual([marks.lastChange()?.path, marks.lastChange()?.time], ['/a', 5]);
    const undo = async (): Promise<void> => marks.undo(marks.lastChange()!);
    await undo();
    assert.equal(marks.of('a').note, 'Then');
    await undo();
    await undo();
    assert.deepEqual([marks.of('a'), marks.of('b'), marks.of('c')], [{}, { tags: ['x'] }, { tags: ['z'] }]);
    const first = marks.lastChange()!;
    await undo();
    assert.equal(marks.lastChange(), undefined);
    await assert.rejects(marks.undo(first), /already undone/);
  });

  it('that are taken back twice at once leave the other changes to be undone', async () => {
    const marks = new OwnMarks(sharedState());
    await marks.change([{ kind: 'pin', ids: ['a'], isOn: true }], '/a');
    const first = marks.lastChange()!;
    await marks.change([{ kind: 'pin', ids: ['b'], isOn: true }], '/b');
    await Promise.all([marks.undo(first), marks.undo(first)]);
    assert.equal(marks.lastChange()?.path, '/b');
  });

  it('that are there already are no change', async () => {
    const marks = new OwnMarks(sharedState());
    await marks.change([{ kind: 'pin', ids: ['a'], isOn: false }], '/a');
    await marks.change([{ kind: 'note', ids: ['a'], text: ' ' }], '/a');
    assert.equal(marks.lastChange(), undefined);
  });

  it('are limited in number and length, the oldest go first; what another version stored is ignored', async () => {
    const state = sharedState();
    state.stored.set('sessionTree.pinned', { not: 'a list' });
    state.stored.set('sessionTree.marks', { a: 7, b: { tags: 'x', note: 5 }, c: { tags: ['t', 3], note: 'n' } });
    const marks = new OwnMarks(state);
    assert.deepEqual([marks.of('a'), marks.of('b'), marks.of('c')], [{}, {}, { tags: ['t'], note: 'n' }]);
    const ids = Array.from({ length: 1001 }, (_, n) => `n${String(n)}`);
    await marks.change([{ kind: 'pin', ids, isOn: true }], '/n');
    await marks.change([{ kind: 'tag', ids, tag: 'many', isOn: true }], '/n');
    assert.deepEqual([marks.isPinned('n0'), marks.isPinned('n1'), marks.isPinned('n1000')], [false, true, true]);
    assert.deepEqual([marks.of('n0'), marks.of('n1').tags], [{}, ['many']]);
    const long = 'x'.repeat(10_000);
    await marks.change([{ kind: 'pin', ids: [long], isOn: true }], '/x');
    assert.equal((state.stored.get('sessionTree.pinned') as string[]).at(-1)?.length, 200);
    assert.equal(marks.isPinned(long), true);
    await marks.change([{ kind: 'note', ids: [long], text: '🐛'.repeat(5000) }], '/x');
    assert.ok((marks.of(long).note ?? '').length <= 1000);
    for (let n = 0; n < 20; n++) await marks.change([{ kind: 'tag', ids: ['m'], tag: `t${String(n)}`, isOn: true }], '/m');
    await assert.rejects(marks.change([{ kind: 'tag', ids: ['m'], tag: 'more', isOn: true }], '/m'), /at most 20 tags/);
  });

  it('have tags that are one line, without quotation marks, with the letters of a tag that is there already', () => {
    assert.deepEqual(
      ['  #bug ', 'two\n words', '"quoted"', 'BUG', '## a#b', '\u202Eabc'].map((text) => tagName(text, ['Bug'])),
      ['Bug', 'two words', 'quoted', 'Bug', 'a#b', '⟦RLO⟧abc'],
    );
    for (const text of ['', ' # ', '"', '\n']) assert.throws(() => tagName(text, []), { code: 'invalid' });
    assert.ok(tagName('é'.repeat(500), []).length <= 50);
  });
});
