import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TreeDataProvider } from 'vscode';
import type * as viewModule from '../../../src/commands/review/commentsView';
import type * as textModule from '../../../src/commands/review/threadText';
import type { KeptComment } from '../../../src/core/index';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const REVIEW = join(__dirname, '../../../src/commands/review');
const PATH = '/s/a.jsonl';
const PLACE = { from: 3, to: 3, lines: 'a' };
const GOES = 'Goes to “Cart”, after “Add a cart”';

type Provider = TreeDataProvider<object>;

describe('Accessible names of comments', () => {
  let provider: Provider;
  const { api } = fakeEditor();
  Object.assign(api, { Range: Object });
  Object.assign(api.window, {
    createTreeView: (_: string, { treeDataProvider }: { treeDataProvider: Provider }) => {
      provider = treeDataProvider;
      return { dispose: () => undefined };
    },
  });
  const { CommentsView } = loadWithVscode(join(REVIEW, 'commentsView.js'), api) as typeof viewModule;
  const { threadLabel, threadComments } = loadWithVscode(join(REVIEW, 'threadText.js'), api) as typeof textModule;
  const nameOf = (): string => 'Cart';

  const comment = (fields: Partial<KeptComment> = {}): KeptComment => ({
    id: 'x',
    file: '/work/shop/cart.ts',
    ...PLACE,
    text: 'Why?',
    isResolved: false,
    ...fields,
  });
  const sent = [{ path: PATH, entryId: 'e', how: 'resume', at: 0, lines: 'a' }] as const;
  const answer = { path: PATH, promptId: 'p', entryId: 'e', text: 'Because.' };

  interface State {
    readonly destination?: string;
    readonly isWaiting?: boolean;
    readonly lines?: string;
  }
  const stateOf = (one: KeptComment, { destination, isWaiting = false, lines = 'a' }: State) => ({
    comment: one,
    place: one.isOutdated ? undefined : { ...PLACE, lines },
    destination,
    isWaiting,
    nameOf,
  });
  const headingOf = (one: KeptComment, state: State): string => threadLabel(stateOf(one, state));

  /** Returns what a screen reader says of the view's rows, from above. */
  const rowsOf = async (all: readonly [KeptComment, ...KeptComment[]], state: State): Promise<string[]> => {
    const view = new CommentsView({
      deps: { summary: () => ({ title: 'Cart' }) } as never,
      kept: { all: () => [...all] } as never,
      threads: {
        onDidChange: () => ({ dispose: () => undefined }),
        destinationOf: () => (state.destination === GOES ? { paths: [PATH], text: GOES } : undefined),
        threadOf: () => undefined,
        labelOf: (one: KeptComment) => headingOf(one, state),
      } as never,
    });
    const names: string[] = [];
    for (const group of (await provider.getChildren()) ?? [])
      for (const node of [group, ...((await provider.getChildren(group)) ?? [])]) {
        const { label, description, accessibilityInformation } = await provider.getTreeItem(node);
        names.push(accessibilityInformation?.label ?? JSON.stringify([label, description]));
      }
    view.dispose();
    return names;
  };

  it('say the comment, its place, whom it goes to, and what came of it, as the heading of its thread does', async () => {
    for (const [fields, state, group, heading] of [
      [{}, {}, 'Notes', 'Finding out whom this goes to…'],
      [{}, { destination: GOES }, 'Cart', GOES],
      [{}, { destination: 'Stays a note: Yours.' }, 'Notes', 'Stays a note: Yours.'],
      [{ isOutdated: true }, { destination: GOES }, 'Cart', 'Outdated: the file no longer has these lines.'],
      [{ sent }, {}, 'Cart', 'Sent to “Cart”.'],
      [{ sent }, { isWaiting: true }, 'Cart', 'Waits until “Cart” is closed.'],
      [{ sent }, { lines: 'b' }, 'Cart', 'Sent to “Cart”. The lines changed since.'],
      [{ sent, isOutdated: true }, {}, 'Cart', 'Sent to “Cart”. The lines are gone since.'],
      [{ sent, answer }, {}, 'Cart', '“Cart” answered. The lines are the same.'],
      [{ sent, answer }, { lines: 'b' }, 'Cart', '“Cart” answered. The lines changed since.'],
      [{ sent, answer, isOutdated: true }, {}, 'Cart', '“Cart” answered. The lines are gone since.'],
    ] as const) {
      const one = comment(fields);
      assert.equal(headingOf(one, state), heading);
      assert.deepEqual(await rowsOf([one], state), [`${group}, 1 comment`, `Why?, cart.ts:3, ${heading}`]);
      assert.deepEqual(
        await rowsOf(
          [
            { ...one, isResolved: true },
            { ...one, from: 2 },
          ],
          state,
        ),
        [`${group}, 2 comments`, `Why?, cart.ts:2, ${heading}`, `Why?, cart.ts:3, resolved, ${heading}`],
      );
    }
  });

  it('say the place and the state of a comment of any length, in one line and without links and icons', async () => {
    const [, long = ''] = await rowsOf([comment({ text: 'x'.repeat(1024 * 1024), sent })], {});
    assert.match(long, /^x{299}…, cart\.ts:3, Sent to “Cart”\.$/);
    const [, hostile = ''] = await rowsOf([comment({ text: '[x](command:y)\n$(bug) \u202e\u001b[31mred', sent })], {});
    assert.equal(hostile, '[x]\u2060(command:y) $\u2060(bug) ⟦RLO⟧red, cart.ts:3, Sent to “Cart”.');
  });

  it('of threads name who said what', () => {
    assert.deepEqual(threadComments(stateOf(comment({ sent, answer }), {})), [
      { author: 'You', text: 'Why?', isOwn: true },
      { author: 'Cart', text: 'Because.', isOwn: false },
    ]);
  });
});
