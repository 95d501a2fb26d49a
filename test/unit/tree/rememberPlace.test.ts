import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { asRow, RowRegistry, type ViewRow } from '../../../src/tree/rows/viewRows';
import { rememberPlace } from '../../../src/tree/view/rememberPlace';

const session = (name: string): ViewRow => ({ id: `session ${name}`, row: 'session', path: name, item: {} as never });

describe('The place of a removed row', () => {
  let registry: RowRegistry;
  let project: ViewRow;
  let rows: readonly ViewRow[];
  let revealed: unknown[];
  let visible: boolean;

  beforeEach(() => {
    registry = new RowRegistry();
    [project] = registry.setLevel(undefined, [{ id: 'project /one', row: 'project', cwd: '/one', project: {} as never }]) as [ViewRow];
    rows = registry.setLevel(project, ['a', 'b', 'c'].map(session));
    revealed = [];
    visible = true;
  });
  afterEach(() => mock.restoreAll());

  const remember = (row: ViewRow | undefined): (() => Promise<void>) =>
    rememberPlace(
      row && asRow(row),
      { registry, settled: () => Promise.resolve() },
      {
        get visible() {
          return visible;
        },
        reveal: (next, options) => Promise.resolve(void revealed.push([next.id, options])),
      },
    );
  const keep = (...names: readonly string[]): void => void registry.setLevel(project, names.map(session));

  it('is that of the next row, which gets the focus and isn’t selected', async () => {
    const go = remember(rows[1]);
    keep('a', 'c');
    await go();
    assert.deepEqual(revealed, [['session c', { select: false, focus: true }]]);
  });

  it('is that of the row before if it was the last, and that of the row above if nothing is left', async () => {
    const last = remember(rows[2]);
    keep('a', 'b');
    await last();
    const all = remember(rows[0]);
    keep();
    await all();
    assert.deepEqual(
      revealed.map((each) => (each as unknown[])[0]),
      ['session b', 'project /one'],
    );
  });

  it('is that of the next row that is left if others went with it', async () => {
    const go = remember(rows[0]);
    keep('c');
    await go();
    assert.deepEqual((revealed[0] as unknown[])[0], 'session c');
  });

  it('takes the focus neither from a row that is still there, nor into a hidden view, nor much later, nor for what isn’t a row of the view', async () => {
    await remember(rows[1])();
    await remember(undefined)();
    await remember(session('b'))();
    const hidden = remember(rows[2]);
    const late = remember(rows[2]);
    keep('a', 'b');
    visible = false;
    await hidden();
    visible = true;
    const now = Date.now();
    mock.method(Date, 'now', () => now + 60_000);
    await late();
    assert.deepEqual(revealed, []);
  });
});
