import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { SavedView } from '../../../src/contract';
import type * as savedViewsModule from '../../../src/tree/view/stored/savedViews';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const { SavedViews } = loadWithVscode(
  join(__dirname, '../../../src/tree/view/stored/savedViews.js'),
  fakeEditor().api,
) as typeof savedViewsModule;

describe('The list of saved views', () => {
  let stored: unknown;
  const state = {
    get: () => stored as never,
    update: (_: string, value: unknown) => Promise.resolve(void (stored = structuredClone(value))),
  };
  const view = (name: string): SavedView => ({
    name,
    arrangement: { sort: 'cost', group: 'none', workspaceOnly: true, tag: 'x' },
    filter: 'user-only',
    program: 'omp',
  });
  beforeEach(() => (stored = undefined));

  it('is ordered by name, replaces a view of the same name, and is the same in all windows', async () => {
    const views = new SavedViews(state);
    await views.save(view('b'));
    await new SavedViews(state).save(view(' a\n'));
    await views.save({ ...view('b'), program: 'all' });
    assert.deepEqual(views.all(), [view('a'), { ...view('b'), program: 'all' }]);
    await views.delete('a');
    assert.throws(() => views.get('a'), { code: 'not-found' });
    await assert.rejects(views.delete('a'), { code: 'not-found' });
    await assert.rejects(views.save(view(' ')), { code: 'invalid' });
  });

  it('has at most 50 views', async () => {
    stored = Array.from({ length: 50 }, (_, n) => view(String(n)));
    const views = new SavedViews(state);
    await assert.rejects(views.save(view('one more')), { code: 'invalid' });
    await views.save(view('7'));
    assert.equal(views.all().length, 50);
  });

  it('takes unknown values of another version as the default', () => {
    stored = [7, { name: 4 }, { name: 'x', arrangement: { sort: 'shape', tag: 5 }, filter: 'none', program: 'vim' }];
    assert.deepEqual(new SavedViews(state).all(), [
      { name: 'x', arrangement: { sort: 'modified', group: 'project', workspaceOnly: false }, filter: 'default', program: 'all' },
    ]);
    stored = 'x';
    assert.deepEqual(new SavedViews(state).all(), []);
  });
});
