import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as refresherModule from '../../../src/tree/view/refresher';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const { Refresher } = loadWithVscode(join(__dirname, '../../../src/tree/view/refresher.js'), fakeEditor().api) as typeof refresherModule;

describe('Refreshing the tree', () => {
  let refresher: refresherModule.Refresher;
  /** When each refresh began, as of `performance.now`. */
  let began: number[];
  /** Milliseconds that each refresh takes. */
  let took: number;
  /** Called while a refresh runs. */
  let during: () => void;

  beforeEach(() => {
    [began, took, during] = [[], 0, () => undefined];
    refresher = new Refresher({
      markLoaded: () => Promise.resolve(),
      run: () => {
        began.push(performance.now());
        while (performance.now() < began.at(-1)! + took);
        during();
        // Ends a refresher that would run without end.
        if (began.length > 5) refresher.dispose();
      },
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => refresher.dispose());

  it('combines the reasons that come before it begins', async () => {
    for (let i = 0; i < 5; i++) refresher.schedule();
    await refresher.settled();
    assert.equal(began.length, 1);
  });

  it('refreshes once more for reasons that come while it runs', async () => {
    during = () => {
      if (began.length > 1) return;
      refresher.schedule();
      refresher.schedule();
    };
    refresher.schedule();
    await refresher.settled();
    assert.equal(began.length, 2);
  });

  it('takes at most a fifth of the time', async () => {
    took = 40;
    refresher.schedule();
    await refresher.settled();
    refresher.schedule();
    await refresher.settled();
    assert.equal(began.length, 2);
    assert.ok(began[1]! - began[0]! >= 5 * took - 2, `it began again after ${began[1]! - began[0]!} ms`);
  });

  it('is settled once the editor has requested the rows that are out of date', async () => {
    const row: ViewRow = { id: 'entry x', row: 'entry' } as unknown as ViewRow;
    refresher.fire([row], [row.id]);
    let isSettled = false;
    const settled = refresher.settled().then(() => (isSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isSettled, false);
    await refresher.trackRequest(
      row,
      () => Promise.resolve(),
      () => true,
    );
    await settled;
  });
});
