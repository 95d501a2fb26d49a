import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TreeItem } from 'vscode';
import { readSession, SessionError, type Session, type SessionMarks, type SessionSummary } from '../../../src/core/index';
import type { SessionSort } from '../../../src/contract';
import type * as badgesModule from '../../../src/tree/items/rowBadges';
import type { RowContext } from '../../../src/tree/items/rowContext';
import type { ReadableItem } from '../../../src/tree/projects/projects';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type * as itemsModule from '../../../src/tree/items/treeItems';
import type * as tooltipsModule from '../../../src/tree/tooltips/tooltips';
import type { OutlineRow } from '../../../src/tree/rows/outline';
import { branchId, entryRowId, sessionId, type ViewRow } from '../../../src/tree/rows/viewRows';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor, MarkdownString, ThemeIcon } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';
import { levelOf, outlineOf, projectsOf } from './renderRows';
import { file } from './storedFiles';

const { api } = fakeEditor();
const { createTreeItem, treeItemFingerprint } = loadWithVscode(
  join(__dirname, '../../../src/tree/items/treeItems.js'),
  api,
) as typeof itemsModule;
const { resolveTreeItem } = loadWithVscode(join(__dirname, '../../../src/tree/tooltips/tooltips.js'), api) as typeof tooltipsModule;

const PATH = '/s/a.jsonl';

const CONTEXT: RowContext = {
  arrangement: DEFAULT_ARRANGEMENT,
  now: 0,
  isLive: () => false,
  presence: () => undefined,
  needsInput: () => false,
  filesHere: () => undefined,
  pendingChanges: () => [],
  summary: () => undefined,
  isExpanded: () => false,
  showsBadges: false,
  opensOnClick: false,
};

const itemOf = (row: ViewRow, isLive = false): TreeItem => createTreeItem(row, { ...CONTEXT, isLive: () => isLive });

/** Returns the row of the only session of a list. */
function sessionRow(listed: ReturnType<typeof file>): Extract<ViewRow, { readonly row: 'session' }> {
  const [project] = projectsOf({ files: new Map([[listed.path, listed]]) });
  const [item] = project!.items;
  assert.ok(item?.kind === 'session');
  return { id: sessionId(listed.path), row: 'session', path: listed.path, item };
}

const toRow = (row: OutlineRow, path = PATH): ViewRow =>
  row.kind === 'branch'
    ? { id: branchId(path, row.startId), row: 'branch', path, entryId: row.tipId, branch: row }
    : { id: entryRowId(path, row.head.id), row: 'entry', path, entryId: row.head.id, entry: row };

/** True if the editor keeps a hover open under the pointer, where it covers the next rows: it looks for links. */
const isSticky = ({ value }: MarkdownString): boolean => value.includes('](') || value.includes('</a>');

const rowsOf = (builder: SessionBuilder): ViewRow[] => levelOf(outlineOf(read(builder), 'all')).map((row) => toRow(row));

describe('Tree items', () => {
  /** Returns the badge that the editor shows at an item. */
  function badgeOf({ resourceUri }: Pick<TreeItem, 'resourceUri'>): string | undefined {
    let provided: { provideFileDecoration(uri: unknown): { badge?: string } | undefined } | undefined;
    const { registerRowBadges } = loadWithVscode(join(__dirname, '../../../src/tree/items/rowBadges.js'), {
      ...api,
      window: { registerFileDecorationProvider: (provider: typeof provided) => void (provided = provider) },
    }) as typeof badgesModule;
    registerRowBadges();
    return resourceUri && provided!.provideFileDecoration(resourceUri)?.badge;
  }

  it('mark the leaf, and no other entry, with a badge', () => {
    const [first, leaf] = rowsOf(session().user('a').assistant('b')).map((row) => itemOf(row)) as [TreeItem, TreeItem];
    assert.equal(first.resourceUri, undefined);
    assert.equal(leaf.description, '← active');
    assert.equal(badgeOf(leaf), '●');
    assert.equal(badgeOf({ resourceUri: api.Uri.file(PATH) as never }), undefined);
  });

  it('say at which entry the files are, also to screen readers', () => {
    const given = { ...CONTEXT, filesHere: (path: string) => (path === PATH ? entryId(2) : undefined) };
    const [other] = rowsOf(session().user('a').assistant('b').user('c'))
      .slice(1, 2)
      .map((row) => createTreeItem(row, given));
    assert.deepEqual([other?.description, badgeOf(other!)], ['← files are here', '▤']);
    const [first, leaf] = rowsOf(session().user('a').assistant('b')).map((row) => createTreeItem(row, given));
    assert.equal(first?.description, undefined);
    assert.equal(leaf?.description, '← active ← files are here');
    assert.match(leaf.accessibilityInformation?.label ?? '', /, current leaf, files are here$/);
  });

  it('of sessions in a worktree name it once, by project or by day', () => {
    const { item, ...row } = sessionRow(file(PATH, '/shop-tax', 0, { name: 'Cart' }));
    for (const group of ['project', 'day'] as const) {
      const given = { ...CONTEXT, arrangement: { ...CONTEXT.arrangement, group } };
      const { description, accessibilityInformation } = createTreeItem({ ...row, item: { ...item, worktree: 'shop-tax' } as never }, given);
      assert.deepEqual([description, accessibilityInformation?.label], ['shop-tax', 'Cart, session, in worktree shop-tax, 2 messages, pi']);
    }
  });

  it('of sessions have their age as a badge, or in the description if there are no badges', () => {
    const row = sessionRow(file(PATH, '/w', -72, { name: 'Cart' }));
    const look = (given: Partial<RowContext>): unknown => {
      const item = createTreeItem(row, { ...CONTEXT, ...given });
      return [badgeOf(item), item.description];
    };
    assert.deepEqual(look({ showsBadges: true }), ['3d', '']);
    assert.deepEqual(look({ showsBadges: false, opensOnClick: false }), [undefined, '3d']);
    assert.deepEqual(look({ showsBadges: true, arrangement: { ...DEFAULT_ARRANGEMENT, sort: 'created' } }), ['3d', '']);
  });

  it('of sessions have the cost or size before the title if that is their order', () => {
    const { item } = sessionRow(file(PATH, '/w', 1, { name: 'Cart' }));
    const labelOf = (sort: SessionSort, given: Partial<ReadableItem>): unknown =>
      createTreeItem(
        { id: 's', row: 'session', path: PATH, item: { ...item, ...given } },
        { ...CONTEXT, arrangement: { ...DEFAULT_ARRANGEMENT, sort } },
      ).label;
    assert.deepEqual(
      [0.0001, 0.049, 1.2, 134.5, undefined].map((cost) => labelOf('cost', { cost })),
      ['<$0.01 · Cart', '$0.05 · Cart', '$1.20 · Cart', '$134.50 · Cart', 'Cart'],
    );
    assert.equal(labelOf('size', { size: 3 * 1024 * 1024 }), '3 MB · Cart');
    assert.equal(labelOf('name', { cost: 1, size: 3 }), 'Cart');
  });

  it('of sessions that ended without an answer have an icon and a word for that, unless they are archived', () => {
    const look = (given: Partial<SessionSummary>): unknown => {
      const { iconPath, description, accessibilityInformation } = itemOf(sessionRow(file(PATH, '/w', 0, { name: 'Cart', ...given })));
      return [iconPath instanceof ThemeIcon && iconPath.id, description, accessibilityInformation?.label];
    };
    assert.deepEqual(look({ unfinished: 'error' }), ['error', 'failed', 'Cart, session, failed, 2 messages, pi']);
    assert.deepEqual(look({ unfinished: 'interrupted' }), ['stop-circle', 'interrupted', 'Cart, session, interrupted, 2 messages, pi']);
    assert.deepEqual(look({ unfinished: 'unanswered' }), ['comment-draft', 'unanswered', 'Cart, session, unanswered, 2 messages, pi']);
    assert.deepEqual(look({ unfinished: 'question' }), ['question', 'asks you', 'Cart, session, asks you, 2 messages, pi']);
    assert.deepEqual(look({ unfinished: 'unanswered', suspectedTip: 'e1' }), [
      'warning',
      'unanswered',
      'Cart, session, unanswered, Will resume on an older branch, 2 messages, pi',
    ]);
    assert.deepEqual(look({ unfinished: 'error', marks: { isArchived: true } }), [
      'archive',
      '',
      'Cart, session, archived, 2 messages, pi',
    ]);
  });

  it('of sessions have their click from the start if it opens them, because the editor then expands only by the arrow', () => {
    const row = sessionRow(file(PATH, '/w', 0, { name: 'Cart' }));
    const [opens, expands] = [true, false].map((opensOnClick) => createTreeItem(row, { ...CONTEXT, opensOnClick }));
    assert.deepEqual([opens?.command?.command, opens?.command?.arguments], ['sessionTree.showContext', [row, { preserveFocus: true }]]);
    assert.equal(expands?.command, undefined);
    assert.notEqual(treeItemFingerprint(opens!), treeItemFingerprint(expands!));
  });

  it('of sessions have at most the first 60 characters of the title', () => {
    const { label } = itemOf(sessionRow(file(PATH, '/w', 0, { name: 'Fix the checkout '.repeat(9) })));
    assert.equal(label, 'Fix the checkout Fix the checkout Fix the checkout Fix the…');
  });

  it('say that a branch begins, instead of the name of our own line', () => {
    const item = itemOf(rowsOf(session().user('a').custom('pi-session-tree/branch'))[1]!);
    assert.equal(item.label, 'Branch starts here');
    assert.equal(item.accessibilityInformation?.label, 'Branch starts here, current leaf');
  });

  it('of unreadable files have a path from the home folder in their hover', () => {
    const path = join(homedir(), 'sessions', 'a.jsonl');
    const item = { kind: 'unreadable', path, error: new SessionError('invalid', 'No session: {path}', { path }) } as never;
    assert.equal(itemOf({ id: 'u', row: 'unreadable', path, item }).tooltip, `No session\n${join('~', 'sessions', 'a.jsonl')}`);
  });

  it('have no icon of a state in `charts.orange`, which is nearly transparent in some of the editor’s own themes', () => {
    for (const unfinished of ['error', 'interrupted', 'unanswered', 'question', 'todos'] as const) {
      const { iconPath } = itemOf(sessionRow(file(PATH, '/w', 0, { unfinished })));
      assert.ok(iconPath instanceof ThemeIcon && iconPath.color && iconPath.color.id !== 'charts.orange', unfinished);
    }
  });

  it('have an icon for each kind of entry', () => {
    const icons = (builder: SessionBuilder): unknown[] =>
      rowsOf(builder).map((row) => {
        const { iconPath } = itemOf(row);
        return iconPath instanceof ThemeIcon && [iconPath.id, iconPath.color?.id];
      });
    assert.deepEqual(icons(session().user('a').assistant('b').label(entryId(1), 'x').name('n').model('p', 'm')), [
      ['account', 'charts.blue'],
      ['sparkle', 'charts.purple'],
      ['tag', undefined],
      ['symbol-string', undefined],
      ['settings', undefined],
    ]);
    // Failures differ by their form, too.
    const stopped = session().user('a').message({ role: 'assistant', content: [], stopReason: 'error', errorMessage: '529' });
    assert.deepEqual(icons(stopped.message({ role: 'assistant', content: [], stopReason: 'aborted' })), [
      ['account', 'charts.blue'],
      ['error', 'errorForeground'],
      ['circle-slash', 'errorForeground'],
    ]);
    assert.deepEqual(
      icons(
        session()
          .user('a')
          .tool('bash', { command: 'false' }, 'no', { message: { isError: true } }),
      ).at(-1),
      ['error', 'errorForeground'],
    );
  });

  it('of archives can be unarchived and deleted, unless they are in oh-my-pi’s archive', () => {
    const valueOf = (path: string): string | undefined =>
      itemOf(sessionRow(file(path, '/w', 0, { marks: { isArchived: true }, writable: false }))).contextValue;
    assert.equal(valueOf('/r/p/a.jsonl.zst'), 'session file readable archived deletable');
    assert.equal(valueOf('/a/archive/sessions/-w/a.jsonl.gz'), 'session file readable');
  });

  it('show by icon and accessible name that a session is pinned or archived', () => {
    const look = (marks: SessionMarks | undefined, given: Partial<SessionSummary> = {}, isLive = false): unknown => {
      const listed = file(PATH, '/w', 0, { name: 'Cart', ...(marks ? { marks } : {}), ...given });
      const { iconPath, description, accessibilityInformation } = itemOf(sessionRow(listed), isLive);
      return [iconPath instanceof ThemeIcon && iconPath.id, description, accessibilityInformation?.label];
    };
    assert.deepEqual(look(undefined), ['comment-discussion', '', 'Cart, session, 2 messages, pi']);
    assert.deepEqual(look({ isPinned: true }), ['pinned', '', 'Cart, session, pinned, 2 messages, pi']);
    assert.deepEqual(look({ isArchived: true }), ['archive', '', 'Cart, session, archived, 2 messages, pi']);
    assert.deepEqual(look({ isPinned: true, isArchived: true }, { parentSession: '/p' }), [
      'archive',
      'from a deleted session',
      'Cart, forked session, pinned · archived, 2 messages, pi, forked from p, which was deleted',
    ]);
    assert.deepEqual(look({ isPinned: true }, {}, true), [
      'record',
      'running · pinned',
      'Cart, session, Running: the file is growing, pinned, 2 messages, pi',
    ]);
    assert.deepEqual(look({ isPinned: true }, { suspectedTip: 'e1' }), [
      'warning',
      'pinned',
      'Cart, session, pinned, Will resume on an older branch, 2 messages, pi',
    ]);
  });

  it('show a branch by its text, and speak its role, size and age', () => {
    const row = rowsOf(session().user('q').user('left').branchFrom(entryId(1)).user('right'))[1]!;
    const branch = itemOf(row);
    const badged = createTreeItem(row, {
      ...CONTEXT,
      now: row.row === 'branch' ? row.branch.newest + 3 * 3_600_000 : 0,
      showsBadges: true,
    });
    assert.deepEqual([badged.description, badgeOf(badged)], ['1 turn', '3h']);
    assert.deepEqual([branch.label, branch.description], ['left', 'Jan 2026 · 1 turn']);
    assert.match(branch.accessibilityInformation!.label, /^abandoned branch, user: left, 1 turn, /);
  });

  it('show no age for a branch without a message, because only messages are activity', () => {
    const builder = session().user('q').custom('mark').branchFrom(entryId(1)).user('right');
    const branch = rowsOf(builder).find(({ row }) => row === 'branch');
    assert.equal(itemOf(branch!).description, '1 entry');
  });

  it('show how sessions differ: the program if it is unusual, and the origin of a fork with the same title', () => {
    const listed = [
      file('/a', '/work/app', 1, { name: 'Doors' }),
      file('/b', '/work/app', 2, { name: 'Doors', parentSession: '/a', dialect: 'omp' }),
      file('/c', '/other/app', 3, { name: 'Copy', parentSession: '/a' }),
      file('/d', '/work/app', 0, { name: 'Other way', parentSession: '/a' }),
      file('/e', '/work/app', -1, { name: 'Other way', parentSession: '/d' }),
    ];
    const projects = projectsOf({ files: new Map(listed.map((each) => [each.path, each])) });
    const shown = projects.flatMap((project) => {
      const rows: ViewRow[] = [{ id: 'p', row: 'project', cwd: project.cwd, project }];
      const waiting = [...project.items];
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        if (item.kind !== 'session') continue;
        rows.push({ id: item.path, row: 'session', path: item.path, item });
        waiting.push(...item.children);
      }
      return rows
        .map((row) => itemOf(row))
        .map(({ label, description }) => `${typeof label === 'string' ? label : ''} | ${String(description)}`);
    });
    assert.deepEqual(shown, [
      'app | now · /other/app · 1 session',
      'Copy | now · from “Doors”',
      'app | now · /work/app · 1 session',
      'Doors | now · 3 forks',
      'from “Doors” | now · oh-my-pi',
      'Other way | ',
      'from “Other way” | 1h',
    ]);
  });

  it('name the machine of a session, and what is a copy of it', () => {
    const listed = [
      file('/laptop/a', '/work', 2, { name: 'Doors', machine: 'laptop', isProtected: true, writable: false }),
      file('/here/a', '/work', 1, { name: 'Doors', copyOf: { path: '/laptop/a', hasDiverged: false } }),
      file('/pc/a', '/work', 1, { name: 'Doors', machine: 'pc', copyOf: { path: '/laptop/a', hasDiverged: true } }),
    ];
    const [project] = projectsOf({ files: new Map(listed.map((each) => [each.path, each])) });
    const [first] = project!.items;
    assert.ok(first?.kind === 'session');
    const shown = [first, ...first.children].flatMap((item) => {
      if (item.kind !== 'session') return [];
      const { label, description, contextValue, accessibilityInformation } = itemOf({
        id: item.path,
        row: 'session',
        path: item.path,
        item,
      });
      return [[label, description, contextValue, accessibilityInformation?.label.split(', ').slice(0, 2).join(', ')]];
    });
    assert.deepEqual(shown, [
      ['Doors', 'now · laptop', 'session file readable pinnable', 'Doors, session'],
      ['Doors', 'now · diverged copy · pc', 'session file readable writable archivable deletable pinnable', 'Doors, diverged copy'],
      ['Doors', 'now · copy', 'session file readable writable archivable deletable pinnable', 'Doors, copy'],
    ]);
    const spoken = itemOf({ id: first.path, row: 'session', path: first.path, item: first }).accessibilityInformation?.label;
    assert.ok(spoken?.includes('on laptop') && spoken.includes('read-only'), spoken);
  });

  it('never say that a session with messages has none', () => {
    const listed = file(PATH, '/work', 1, { messageCount: 2 });
    assert.equal(itemOf(sessionRow(listed)).label, '(no prompt)');
  });

  it('offer the newer branch of a session whose leaf is doubted', () => {
    const valueOf = (suspectedTip?: string): string | undefined => {
      const listed = file(PATH, '/work', 1, { writable: true, ...(suspectedTip === undefined ? {} : { suspectedTip }) });
      return itemOf(sessionRow(listed)).contextValue;
    };
    assert.equal(valueOf(), 'session file readable writable archivable deletable pinnable');
    assert.equal(valueOf(entryId(2)), 'session file readable writable suspect archivable deletable pinnable');
    const note = itemOf({ id: `note ${PATH}`, row: 'note', path: PATH, entryId: entryId(2), text: 'The newer answer' });
    assert.deepEqual(
      [note.id, note.contextValue, note.label, note.description],
      [`note ${PATH}`, 'note suspect', 'Will resume on an older branch', 'a newer branch ends at “The newer answer”'],
    );
  });
});

describe('Tooltips and clicks', () => {
  const folder = testFolder();
  const resolved = async (row: ViewRow, opened?: Session): Promise<TreeItem> =>
    resolveTreeItem(itemOf(row), row, {
      session: () => (opened ? Promise.resolve(opened) : Promise.reject(new Error('The file is gone.'))),
      presence: () => ({ state: 'live', signs: [{ how: 'open', program: 'pi', pid: 7 }] }),
      needsInput: () => false,
      pendingChanges: () => [],
    });

  it('open the line of a problem in the raw file', async () => {
    const problem = { code: 'bad-line', message: 'It is odd.', template: 'It is odd.', args: {} } as const;
    const at = await resolved({ id: 'p', row: 'problem', path: PATH, line: 3, content: { kind: 'one', problem } });
    assert.equal(at.command?.command, 'sessionTree.openRaw');
    const all = await resolved({ id: 'p', row: 'problem', path: PATH, content: { kind: 'all', problems: [problem] } });
    assert.equal(all.command, undefined);
  });

  it('have oh-my-pi’s recap of a session of this machine, as one line of text', async () => {
    const database = new DatabaseSync(join(folder.path, 'history.db'));
    database.exec('CREATE TABLE session_recaps (id INTEGER PRIMARY KEY, session_id TEXT, cwd TEXT, recap TEXT, created_at INTEGER)');
    const path = join(folder.path, 'sessions', '-work-', 'a.jsonl');
    const hover = async (given: Partial<SessionSummary>): Promise<string> => {
      const { tooltip } = await resolved(sessionRow(file(path, '/work', 1, { id: 'one', dialect: 'omp', ...given })));
      return tooltip instanceof MarkdownString ? tooltip.value : '';
    };
    try {
      assert.doesNotMatch(await hover({}), /Recap/);
      database.exec("INSERT INTO session_recaps VALUES (1, 'one', '/work', 'Der Kiel\n[ist](command:x) fertig.', 1)");
      assert.match(await hover({}), /\nRecap\\: Der Kiel ist fertig\\\. {2}\n/);
      assert.doesNotMatch(await hover({}), /command:x/);
      assert.doesNotMatch(await hover({ machine: 'laptop' }), /Recap/);
      assert.doesNotMatch(await hover({ dialect: 'pi' }), /Recap/);
    } finally {
      database.close();
    }
  });

  it('show an entry’s text, command or code, and the tokens that were read', async () => {
    const path = await folder.write(
      's.jsonl',
      session()
        .assistant('Yes\n\n```ts\nit\nis\n```\n\nso', {
          message: { usage: { input: 1000, output: 5, cacheRead: 200, cacheWrite: 30, totalTokens: 1235 } },
        })
        .bash('npm test')
        .message({ role: 'pythonExecution', code: 'print(1)', output: '1' })
        .message({ role: 'bashExecution', output: '1' })
        .text(),
    );
    const opened = await readSession(path);
    const texts: string[] = [];
    for (const head of opened.entries) {
      const { tooltip } = await resolved(toRow({ kind: 'entry', head, isLeaf: false }, path), opened);
      texts.push(tooltip instanceof MarkdownString ? tooltip.value : '');
    }
    assert.match(texts[0]!, /^\*\*Assistant\*\*\n\nYes {2}\n&nbsp; {2}\nit {2}\nis {2}\n&nbsp; {2}\nso\n\n---/);
    assert.deepEqual(
      texts.slice(1).map((text) => text.slice(0, text.indexOf('\n'))),
      ['**command**', '**command**', '**command · current leaf**'],
    );
    assert.match(texts[0]!, /1,230 tokens in, 5 out/);
    assert.deepEqual(
      texts.slice(1).map((text) => text.slice(text.indexOf('\n\n') + 2, text.indexOf('\n\n---'))),
      ['&#36; npm test', '&#36; print\\(1\\)  \n1', '&#36;   \n1'],
    );
  });

  it('show the command before the output of the call, and nothing before other results', async () => {
    const command = `npx vitest run ${'--repeat 200 '.repeat(20)}`;
    const calls = [
      { type: 'toolCall', id: 'a', name: 'bash', arguments: { command: 'ls' } },
      { type: 'toolCall', id: 'b', name: 'bash', arguments: { command } },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'x', command: 7 } },
    ];
    const result = (toolCallId: string) => ({
      role: 'toolResult',
      toolCallId,
      toolName: 'bash',
      content: [{ type: 'text', text: 'done' }],
    });
    const path = await folder.write(
      'calls.jsonl',
      session().assistant(calls).message(result('a')).message(result('b')).message(result('c')).message(result('gone')).text(),
    );
    const opened = await readSession(path);
    const texts: string[] = [];
    for (const head of opened.entries.slice(1)) {
      const { tooltip } = await resolved(toRow({ kind: 'entry', head, isLeaf: false }, path), opened);
      assert.ok(tooltip instanceof MarkdownString);
      texts.push(tooltip.value.slice(tooltip.value.indexOf('\n\n') + 2, tooltip.value.indexOf('\n\n---')));
    }
    assert.deepEqual([texts[0], texts[2], texts[3]], ['&#36; ls  \ndone', 'done', 'done']);
    assert.equal(texts[1]?.match(/repeat 200/g)?.length, 20);
  });

  it('show the words of a provider’s error', async () => {
    const errorMessage =
      '529 {"type":"error","error":{"type":"overloaded_error","message":"[Overloaded](command:x)"},"request_id":"req_1"}';
    const path = await folder.write(
      'error.jsonl',
      session()
        .assistant('', { message: { errorMessage, stopReason: 'error' } })
        .text(),
    );
    const opened = await readSession(path);
    const { tooltip } = await resolved(toRow({ kind: 'entry', head: opened.entries[0]!, isLeaf: true }, path), opened);
    assert.ok(tooltip instanceof MarkdownString);
    assert.match(tooltip.value, /\n\n529 \\\[Overloaded\\\]\\\(command\\:x\\\)\n\n---/);
  });

  it('are short, whatever a label, a model or a text has', async () => {
    const long = '[\u202e'.repeat(300_000);
    const built = session().assistant(long, { message: { model: long, provider: 'p', stopReason: long } });
    const path = await folder.write('long.jsonl', built.label(entryId(1), long).text());
    const opened = await readSession(path);
    const { tooltip } = await resolved(toRow({ kind: 'entry', head: opened.entries[0]!, isLeaf: true }, path), opened);
    assert.ok(tooltip instanceof MarkdownString);
    assert.match(tooltip.value, /Label/);
    assert.ok(tooltip.value.length < 40_000, String(tooltip.value.length));
  });

  it('have the first prompt of a session, its cost, and the reason for each mark', async () => {
    const path = await folder.write(
      'told.jsonl',
      session()
        .name('<b>*Doors</b>(command:x)')
        .user('Which **way**?')
        .assistant('Left', {
          message: { usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: 1.5 } } },
        })
        .label(entryId(2), 'fork here')
        .text(),
    );
    const listed = file(path, '/work', 1, {
      name: '<b>*Doors</b>(command:x)',
      firstMessage: 'Which **way**?',
      suspectedTip: entryId(2),
      marks: { isPinned: true },
    });
    const [project] = projectsOf({ files: new Map([[path, listed]]) });
    const row = sessionRow(listed);
    const { tooltip } = await resolved(row, await readSession(path));
    assert.ok(tooltip instanceof MarkdownString);
    for (const part of [
      /^\*\*&lt;b\\>\\\*Doors&lt;\/b\\>\\\(command\\:x\\\)\*\*\n\nWhich way\?/,
      /Running\\: pi \\\(PID 7\\\)/,
      /⚠ Will resume on an older branch/,
      /A newer branch ends at/,
      /pinned/,
      /pi · .*2 messages · &#36;1\\\.50/,
      /Labels\\: fork here/,
    ])
      assert.match(tooltip.value, part);
    assert.ok(!isSticky(tooltip));
    // A session that can't be read still has what lists know.
    const unread = (await resolved(row)).tooltip;
    assert.ok(unread instanceof MarkdownString && /2 messages/.test(unread.value) && !unread.value.includes('50'));
    const ofProject = (await resolved({ id: 'p', row: 'project', cwd: '/work', project: project! })).tooltip;
    assert.ok(ofProject instanceof MarkdownString && ofProject.value.includes('1 session · pi'));
    assert.ok(!isSticky(ofProject));
    const gone = (await resolved({ id: 'w', row: 'project', cwd: '/wt', project: { ...project!, isMissing: true, worktree: 'linked' } }))
      .tooltip;
    assert.ok(gone instanceof MarkdownString && /This worktree no longer exists/.test(gone.value));
    assert.ok(!isSticky(gone));
  });

  it('name the other folders that a session works in, and its pin', async () => {
    const listed = file(PATH, '/w', 0, { name: 'Cart', marks: { isPinned: true }, additionalDirectories: ['/lib', '/other'] });
    const { tooltip } = await resolved(sessionRow(listed));
    assert.ok(tooltip instanceof MarkdownString);
    assert.match(tooltip.value, /pinned/);
    assert.match(tooltip.value, /Additional folders\\: \/lib, \/other/);
  });

  it('of sessions have at most four facts beside the reasons for marks, the time among them, and cut texts', async () => {
    const builder = session().user('x'.repeat(1000));
    for (let number = 1; number < 9; number++)
      builder.tool('write', { path: `file${number}.ts`, content: '' }, 'done').label(entryId(1), `label ${number}`);
    const path = await folder.write('facts.jsonl', builder.text());
    const listed = file(path, '/w', 1, {
      firstMessage: 'x'.repeat(1000),
      marks: { isPinned: true },
      additionalDirectories: ['/lib'],
      problems: 2,
    });
    const { tooltip } = await resolved(sessionRow(listed), await readSession(path));
    assert.ok(tooltip instanceof MarkdownString);
    const [, facts = ''] = tooltip.value.split('---\n\n');
    const lines = facts.split('  \n');
    assert.deepEqual(
      lines.map((line) => /^\w+/.exec(line)?.[0]),
      ['Running', 'pinned', 'pi', 'Started', '2', 'Additional'],
    );
    assert.match(facts, /Last message Jan 1, 1970/);
    assert.ok(tooltip.value.length < 900, String(tooltip.value.length));
  });

  it('say why an entry can not be read', async () => {
    const [row] = rowsOf(session().user('a'));
    assert.equal((await resolved(row!)).tooltip, 'The file is gone.');
  });
});
