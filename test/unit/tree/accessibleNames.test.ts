import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TreeItem } from 'vscode';
import { SessionError, type PendingChange, type Presence, type SessionSummary } from '../../../src/core/index';
import type * as labelsModule from '../../../src/editorCatalog/labelItems';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type { ReadableItem } from '../../../src/tree/projects/projects';
import type * as itemsModule from '../../../src/tree/items/treeItems';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';
import { groupsOf, levelOf, outlineOf, projectsOf } from './renderRows';
import { broken, file } from './storedFiles';

const { api } = fakeEditor();
const { createTreeItem } = loadWithVscode(join(__dirname, '../../../src/tree/items/treeItems.js'), api) as typeof itemsModule;
const labels = loadWithVscode(join(__dirname, '../../../src/editorCatalog/labelItems.js'), api) as typeof labelsModule;

const PATH = '/s/a.jsonl';
const NOW = Date.UTC(2026, 0, 2, 12);
/** Hours since 1970, two before now. */
const EARLIER = NOW / 3_600_000 - 2;

/** Returns what a screen reader says of a row: without a name of its own, what it shows. */
const spoken = ({ label, description, accessibilityInformation }: TreeItem): string =>
  accessibilityInformation?.label ??
  [typeof label === 'string' ? label : label?.label, description === true ? '' : description].filter(Boolean).join(' ');

interface Given {
  readonly presence?: Presence;
  readonly waits?: boolean;
  readonly pending?: readonly PendingChange[];
}

const nameOf = (row: ViewRow, { presence, waits = false, pending = [] }: Given = {}): string =>
  spoken(
    createTreeItem(row, {
      arrangement: DEFAULT_ARRANGEMENT,
      now: NOW,
      isLive: () => presence !== undefined,
      presence: () => presence,
      needsInput: () => waits,
      filesHere: () => undefined,
      pendingChanges: () => pending,
      summary: () => undefined,
      isExpanded: () => false,
      showsBadges: false,
      opensOnClick: false,
    }),
  );

const stored = (given: Partial<SessionSummary> = {}): ReturnType<typeof file> =>
  file(PATH, '/work/shop', EARLIER, { name: 'Cart', ...given });
const sessionName = (given: Partial<SessionSummary>, state?: Given & { readonly isPinned?: boolean }): string => {
  const isPinned = (): boolean => state?.isPinned === true;
  const [project] = projectsOf({ files: new Map([[PATH, stored(given)]]), hideEmpty: false, isPinned });
  return nameOf({ id: 's', row: 'session', path: PATH, item: project!.items[0] as ReadableItem }, state);
};

const rename: PendingChange = { id: 'w', path: PATH, at: 0, change: { kind: 'rename', name: 'Basket' } };

describe('Accessible names', () => {
  it('of sessions say their state and the reason behind each mark', () => {
    assert.equal(sessionName({}), 'Cart, session, 2 hr. ago, 2 messages, pi');
    assert.equal(
      sessionName({ writable: false, problems: 2 }),
      'Cart, session, read-only, 2 problems in this file, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(
      sessionName({}, { presence: { state: 'live', signs: [{ how: 'open', program: 'pi', pid: 7 }] } }),
      'Cart, session, Running: pi (PID 7), 2 hr. ago, 2 messages, pi',
    );
    assert.equal(
      sessionName({}, { presence: { state: 'unsure', signs: [{ how: 'growth' }] } }),
      'Cart, session, Running: the file is growing, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(
      sessionName({}, { presence: { state: 'unsure', signs: [{ how: 'process', program: 'pi', pid: 7 }] }, waits: true }),
      'Cart, session, Running: pi (PID 7), needs input, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(sessionName({}, { isPinned: true }), 'Cart, session, pinned, 2 hr. ago, 2 messages, pi');
    assert.equal(
      sessionName({}, { pending: [rename] }),
      'Cart, session, pending: name “Basket” · applies when the session closes, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(
      sessionName({ suspectedTip: 'e1', marks: { isPinned: true } }),
      'Cart, session, pinned, Will resume on an older branch, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(sessionName({ isPartial: true, writable: false }), 'Cart, session, 2 hr. ago, pi');
    assert.equal(
      sessionName({ writable: false, marks: { isArchived: true } }),
      'Cart, session, read-only, archived, 2 hr. ago, 2 messages, pi',
    );
    assert.equal(
      sessionName({ writable: false, isProtected: true, machine: 'laptop' }),
      'Cart, session, read-only, 2 hr. ago, 2 messages, pi, on laptop',
    );
    assert.equal(sessionName({ name: '**Cart** in `src`' }), 'Cart in src, session, 2 hr. ago, 2 messages, pi');
  });

  it('of projects, days and programs say how much they hold', () => {
    const files = new Map([[PATH, stored()]]);
    const [project] = projectsOf({ files, workspace: ['/work/shop'] });
    assert.equal(
      nameOf({ id: 'p', row: 'project', cwd: '/work/shop', project: project! }),
      'shop, project of this workspace, 1 session, 2 hr. ago, /work/shop',
    );
    const [damaged] = projectsOf({ files: new Map([...files, ['/s/bad.jsonl', broken('/s/bad.jsonl', 1)]]) });
    assert.equal(damaged!.items.length, 2);
    assert.equal(
      nameOf({ id: 'p', row: 'project', cwd: '/work/shop', project: damaged! }),
      'shop, project, 1 session, 2 hr. ago, /work/shop',
    );
    const [moved] = projectsOf({ files, isMissing: () => true });
    assert.equal(
      nameOf({ id: 'p', row: 'project', cwd: '/work/shop', project: moved! }),
      'shop, project, folder not found, 1 session, 2 hr. ago, /work/shop',
    );
    const names = (['day', 'program'] as const).flatMap((group) =>
      groupsOf({ files, group, now: NOW }).flatMap((one) =>
        one.kind === 'day' || one.kind === 'program' ? [nameOf({ id: 'g', row: 'group', group: one })] : [],
      ),
    );
    assert.deepEqual(names, ['Today, 1 session', 'pi, 1 session']);
  });

  it('of copies and forks say what they are', () => {
    const files = [
      stored(),
      file('/pc/a', '/work/shop', EARLIER, { name: 'Cart', machine: 'pc', copyOf: { path: PATH, hasDiverged: true } }),
      file('/s/fork', '/work/shop', EARLIER, { name: 'Basket', parentSession: PATH }),
    ];
    const [project] = projectsOf({ files: new Map(files.map((one) => [one.path, one])) });
    const [parent] = project!.items as ReadableItem[];
    const names = [parent!, ...(parent!.children as ReadableItem[])].map((item) =>
      nameOf({ id: item.path, row: 'session', path: item.path, item }),
    );
    assert.deepEqual(names.toSorted(), [
      'Basket, forked session, 2 hr. ago, 2 messages, pi',
      'Cart, diverged copy, 2 hr. ago, 2 messages, pi, on pc',
      'Cart, session, 2 hr. ago, 2 messages, pi, 1 fork',
    ]);
  });

  it('of entries and branches say the role, the label, and where the session continues', () => {
    const built = session()
      .user('**q**')
      .user('left')
      .branchFrom(entryId(1))
      .tool('read', { path: '/work/demo/src/deep/down/below/map.txt' }, 'a map')
      .label(entryId(1), 'start');
    const names = levelOf(outlineOf(read(built), 'default')).map((row) =>
      row.kind === 'branch'
        ? nameOf({ id: 'b', row: 'branch', path: PATH, entryId: row.tipId, branch: row })
        : nameOf({ id: 'e', row: 'entry', path: PATH, entryId: row.head.id, entry: row }),
    );
    assert.deepEqual(names, [
      'label start, user: q',
      'abandoned branch, user: left, 1 turn, 1 hr. ago',
      '[read: src/deep/down/below/map.txt], current leaf',
    ]);
  });

  it('of all other rows are what they show, with the reason', () => {
    const problem = {
      code: 'bad-line' as const,
      template: 'Line {line} is no JSON',
      args: { line: 3 },
      message: 'Line 3 is no JSON',
      line: 3,
    };
    const rows: [ViewRow, string][] = [
      [
        { id: 'n', row: 'note', path: PATH, entryId: 'x', text: 'user: newer' },
        'Will resume on an older branch · a newer branch ends at “user: newer”',
      ],
      [
        { id: 'w', row: 'waiting', path: PATH, waitingId: 'w', waiting: rename },
        'pending: name “Basket” · applies when the session closes',
      ],
      [
        {
          id: 'w',
          row: 'waiting',
          path: PATH,
          waitingId: 'w',
          waiting: { ...rename, stuck: { code: 'invalid', template: 'It has gone', args: {} } },
        },
        'can’t apply: name “Basket” · It has gone',
      ],
      [
        {
          id: 'u',
          row: 'unreadable',
          path: PATH,
          item: { kind: 'unreadable', path: PATH, error: new SessionError('invalid', 'No session', {}) } as never,
        },
        'unreadable file a.jsonl: No session',
      ],
      [{ id: 'p', row: 'problem', path: PATH, content: { kind: 'all', problems: [problem] } }, '1 line couldn’t be read'],
      [{ id: 'p', row: 'problem', path: PATH, line: 3, content: { kind: 'one', problem } }, 'Line 3 is no JSON'],
      [{ id: 'p', row: 'problem', path: PATH, content: { kind: 'failed', error: new Error('Gone') } }, 'Gone'],
      [
        { id: 'p', row: 'problem', path: PATH, content: { kind: 'nothing', filter: 'labeled-only' } },
        'No entries match the filter “Labeled Entries”',
      ],
      [{ id: 'm', row: 'more', path: '', list: 'l', side: 'later', hidden: 1000, of: 'sessions' }, 'Show 500 Older 1,000 in all'],
    ];
    assert.deepEqual(
      rows.map(([row]) => nameOf(row)),
      rows.map(([, name]) => name),
    );
  });

  it('of labels say the session, the age and the copies', () => {
    const row = {
      kind: 'label',
      row: 'entry',
      path: PATH,
      entryId: 'x',
      label: 'start',
      timestamp: 0,
      writable: true,
      session: 'Cart',
      copies: 2,
    };
    const age = { age: '2h', ago: '2 hr. ago', badge: undefined };
    assert.equal(spoken(labels.labelItem(row as never, age, 'reveal')), 'start, label in Cart, 2 hr. ago, also in 2 forks');
    assert.equal(spoken(labels.labelItem({ ...row, copies: 0 } as never, age, 'reveal')), 'start, label in Cart, 2 hr. ago');
    assert.equal(spoken(labels.projectItem({ cwd: '/work/shop', labels: [row] } as never)), 'shop, 1 label');
  });
});
