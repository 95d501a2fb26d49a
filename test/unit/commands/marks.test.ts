import assert from 'node:assert/strict';
import type { Arrangement, SavedView } from '../../../src/contract';
import type { SessionSummary } from '../../../src/core/index';
import { OwnMarks, tagName } from '../../../src/tree/view/stored/ownMarks';
import { ownFilters } from '../../../src/tree/projects/ownFilters';
import type { SessionItem } from '../../../src/tree/projects/sessionGroups';
import { runCommands, type RunningCommands } from './runCommands';

const PATHS = ['/s/a', '/s/b', '/s/c'] as const;
const SESSIONS = PATHS.map((path) => ({ path, id: `id of ${path}`, title: path }) as SessionSummary);
const ROWS = PATHS.map((path) => ({ row: 'session', path }));

describe('The commands for pins, tags and notes', () => {
  let marks: OwnMarks;
  let commands: RunningCommands;
  /** The time of the newest write to a session. */
  let written: number | undefined;
  let time: number;
  beforeEach(() => {
    const stored = new Map<string, unknown>();
    const state = {
      get: (key: string) => stored.get(key) as never,
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    time = 1000;
    written = undefined;
    marks = new OwnMarks(state, () => time);
    const record = () =>
      written === undefined ? undefined : { id: 'w', kind: 'label', path: '/s/c', at: new Date(written).toISOString() };
    commands = runCommands({
      sessions: () => SESSIONS,
      marks: {
        isPinned: ({ id }) => marks.isPinned(id),
        of: ({ id }) => marks.of(id),
        allTags: () => marks.allTags(),
        tagName: (text) => tagName(text, marks.allTags()),
        change: (changes, path) => marks.change(changes, path),
        lastChange: () => marks.lastChange(),
        undo: (change) => marks.undo(change),
      },
      writes: () =>
        Promise.resolve({
          nextUndo: () => Promise.resolve(record()),
          undo: () => Promise.resolve({ did: 'inverse', path: '/s/c', paths: ['/s/c'], record: record() }),
        } as never),
    });
  });

  const tagsOf = (path: string): readonly string[] | undefined => marks.of(`id of ${path}`).tags;

  it('pin all selected sessions, and take the pins away', async () => {
    const pinned = (): boolean[] => PATHS.map((path) => marks.isPinned(`id of ${path}`));
    await commands.run('sessionTree.pin', ROWS[0], ROWS.slice(0, 2));
    assert.deepEqual(pinned(), [true, true, false]);
    await commands.run('sessionTree.unpin', { path: '/s/b' });
    await commands.run('sessionTree.pin', [{ path: '/s/c' }, { path: '/s/a' }]);
    assert.deepEqual(pinned(), [true, false, true]);
    await assert.rejects(commands.run('sessionTree.pin', { path: 'relative' }), { code: 'invalid' });
  });

  it('give several sessions a tag and a note by arguments, and refuse bad ones', async () => {
    await commands.run('sessionTree.tag', { refs: [{ path: '/s/a' }, { path: '/s/b' }], tag: '#Später lesen' });
    await commands.run('sessionTree.untag', { refs: [{ path: '/s/b' }], tag: 'später LESEN' });
    await commands.run('sessionTree.note', { path: '/s/c', text: 'Ask Anna' });
    assert.deepEqual([tagsOf('/s/a'), tagsOf('/s/b'), marks.of('id of /s/c').note], [['Später lesen'], undefined, 'Ask Anna']);
    await assert.rejects(commands.run('sessionTree.tag', { refs: [{ path: '/s/a' }], tag: ' ' }), { code: 'invalid' });
    await assert.rejects(commands.run('sessionTree.tag', { refs: [{ path: '/s/a' }] }), { code: 'invalid' });
    await assert.rejects(commands.run('sessionTree.tag', { refs: [{ path: 'a' }], tag: 'x' }), { code: 'invalid' });
    await assert.rejects(commands.run('sessionTree.note', { path: '/s/a' }), { code: 'invalid' });
  });

  it('keep one note about several sessions, as one change', async () => {
    const notes = (): unknown[] => PATHS.map((path) => marks.of(`id of ${path}`).note);
    await commands.run('sessionTree.note', { path: '/s/a', text: 'Old' });
    commands.editor.input = 'Ask Anna';
    await commands.run('sessionTree.note', ROWS[0], ROWS);
    assert.deepEqual(notes(), ['Ask Anna', 'Ask Anna', 'Ask Anna']);
    written = undefined;
    await commands.run('sessionTree.undo');
    assert.deepEqual(notes(), ['Old', undefined, undefined]);
    assert.match(JSON.stringify(commands.editor.messages.at(-1)), /Undid the notes of 3 sessions/);
  });

  it('undo the newest change, whether of marks or of a session', async () => {
    await commands.run('sessionTree.tag', { refs: PATHS.map((path) => ({ path })), tag: 'x' });
    written = 2000;
    assert.deepEqual(await commands.run('sessionTree.undo', {}), { did: 'inverse', path: '/s/c' }, 'the write is newer');
    assert.deepEqual(tagsOf('/s/a'), ['x']);
    written = 500;
    assert.deepEqual(await commands.run('sessionTree.undo', {}), { did: 'inverse', path: '/s/a' });
    assert.deepEqual(PATHS.map(tagsOf), [undefined, undefined, undefined]);
    await commands.run('sessionTree.tag', { refs: PATHS.map((path) => ({ path })), tag: 'x' });
    await commands.run('sessionTree.undo');
    assert.match(JSON.stringify(commands.editor.messages.at(-1)), /Undid the tags of 3 sessions/);
  });
});

describe('A filter by tag', () => {
  it('lists a session if it has the tag, or one below it', () => {
    const item = (tags: readonly string[], children: readonly SessionItem[] = []) => ({
      item: { kind: 'session', tags, children } as unknown as SessionItem,
    });
    const isListed = ownFilters({ tag: 'Größe' });
    assert.deepEqual([item(['x']), item(['GRÖSSE']), item(['GRÖßE']), item([], [item(['größe']).item]), item([])].map(isListed), [
      false,
      false,
      true,
      true,
      false,
    ]);
    assert.equal(ownFilters({ tag: '' })(item([])), true);
    assert.equal(ownFilters({})(item([])), true);
  });

  it('list the sessions that a query finds, and those above them', () => {
    const item = (path: string, tags: readonly string[], children: readonly SessionItem[] = []) =>
      ({ kind: 'session', path, tags, children }) as unknown as SessionItem;
    const isListed = (item: SessionItem): boolean => ownFilters({ tag: 'x', isFound: (path) => path === 'found' })({ item });
    const items = [item('found', ['x']), item('found', []), item('other', ['x']), item('above', ['x'], [item('found', [])])];
    assert.deepEqual(items.map(isListed), [true, false, false, true]);
    // A file that can't be read has texts that were read before.
    assert.equal(ownFilters({ isFound: () => true })({ item: { kind: 'unreadable', path: '/x' } as SessionItem }), true);
  });

  it('looks at chains of 100,000 sessions', () => {
    let chain = { kind: 'session', tags: ['x'], children: [] } as unknown as SessionItem;
    for (let depth = 0; depth < 100_000; depth++) chain = { kind: 'session', children: [chain] } as unknown as SessionItem;
    assert.equal(ownFilters({ tag: 'x' })({ item: chain }), true);
  });
});

describe('Saved views', () => {
  it('are shown as they were saved', async () => {
    const calls: unknown[] = [];
    const view: SavedView = {
      name: 'Bugs',
      arrangement: { sort: 'cost', group: 'day', workspaceOnly: true, tag: 'bug', query: 'after:3w floor' },
      filter: 'user-only',
      program: 'all',
    };
    const { run } = runCommands({
      savedViews: {
        all: () => [view],
        get: () => view,
        saveCurrent: (name) => Promise.resolve(void calls.push(['save', name])),
        delete: (name) => Promise.resolve(void calls.push(['delete', name])),
      },
      setFilter: (filter) => Promise.resolve(void calls.push(filter)),
      arrange: (change) => Promise.resolve(void calls.push(change)),
    });
    await run('sessionTree.saveView', { name: 'Bugs' });
    await run('sessionTree.applyView', { name: 'Bugs' });
    await run('sessionTree.deleteView', { name: 'Bugs' });
    assert.deepEqual(calls, [['save', 'Bugs'], 'user-only', { ...view.arrangement, unfinishedOnly: false }, ['delete', 'Bugs']]);
    await assert.rejects(run('sessionTree.applyView', {}), { code: 'invalid' });
  });

  it('switch off filters that they were saved without', async () => {
    let arrangement: Arrangement = { sort: 'cost', group: 'day', workspaceOnly: true, tag: 'bug', query: 'x', unfinishedOnly: true };
    const saved = { sort: 'modified', group: 'project', workspaceOnly: false } as const;
    const { run } = runCommands({
      savedViews: {
        all: () => [],
        get: (name) => ({ name, arrangement: saved, filter: 'default', program: 'all' }),
        saveCurrent: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      setFilter: () => Promise.resolve(),
      arrange: (change) => Promise.resolve(void (arrangement = { ...arrangement, ...change })),
    });
    await run('sessionTree.applyView', { name: 'All' });
    assert.deepEqual(arrangement, { ...saved, tag: '', query: '', unfinishedOnly: false });
  });
});
