import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const project = resolve(__dirname, '../../../..');
const read = (path: string): string => readFileSync(resolve(project, path), 'utf8');

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  /** Always offered without it. */
  readonly when?: string;
  readonly group: string;
}

const { menus } = (JSON.parse(read('package.json')) as { contributes: { menus: Record<string, Item[]> } }).contributes;

/** Returns the items of a menu whose conditions hold. */
const shown = (items: readonly Item[], isSo: (condition: string) => boolean): readonly Item[] =>
  items.filter(
    ({ when, group }) => !group.startsWith('inline') && (when?.split(' || ').some((either) => either.split(' && ').every(isSo)) ?? true),
  );

/** Returns the commands of a menu and its submenus whose conditions hold. */
const offered = (items: readonly Item[], isSo: (condition: string) => boolean): string[] =>
  shown(items, isSo)
    .flatMap(({ command, submenu }) => (submenu === undefined ? [command!] : offered(menus[submenu]!, isSo)))
    .sort();

/** True in a trusted window of this machine. */
const LOCAL = ['!isWeb', '!remoteName', 'isWorkspaceTrusted'];
const ONE = ['!listMultiSelection'];
const TWO = ['listMultiSelection', 'listDoubleSelection'];

const inRow =
  (flags: string, selection: readonly string[]) =>
  (condition: string): boolean => {
    const [, name, pattern] = /^(view|viewItem) =~ \/(.*)\/$/.exec(condition) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(name === 'view' ? 'sessionTree.sessions' : flags);
    return ['view == sessionTree.sessions', 'sessionTree.compareSelected', ...selection, ...LOCAL].includes(condition);
  };
const inTree = (flags: string, selection = ONE): string[] => offered(menus['view/item/context']!, inRow(flags, selection));
const itemsOf = (flags: string, selection = ONE): readonly Item[] => shown(menus['view/item/context']!, inRow(flags, selection));

const inMessage =
  (...keys: readonly string[]) =>
  (condition: string): boolean =>
    [
      'webviewId =~ /^sessionTree\\.(context|session)$/',
      'webviewSection == entry',
      'webviewSection != input',
      'sessionTree.compareSelected',
      ...ONE,
      ...LOCAL,
      ...keys,
    ].includes(condition);
const onPage = (...keys: string[]): string[] => offered(menus['webview/context']!, inMessage(...keys));

/** Rows with everything that applies to them at the same time. */
const ROWS = {
  session: 'session file readable writable archivable deletable pinnable suspect damaged live waits subagent',
  'old session': 'session file readable old archivable deletable pinnable suspect damaged waits subagent',
  'archived session': 'session file readable archived deletable unpinnable waits subagent',
  entry: 'entry file readable writable live labeled subagentCall',
  branch: 'branch file readable writable live labeled',
  project: 'project old',
  'missing project': 'project old missing',
  'unreadable file': 'unreadable file deletable damaged',
} as const;

describe('The menu of a message', () => {
  it('has the commands of the entry’s row, and the one that reveals the row', () => {
    for (const [flags, keys] of [
      ['entry file readable', []],
      ['entry file readable writable', ['sessionWritable']],
      ['entry file readable writable labeled', ['sessionWritable', 'entryLabeled']],
      ['entry file readable labeled', ['entryLabeled']],
    ] as const) {
      assert.deepEqual(onPage(...keys), [...inTree(flags), 'sessionTree.revealSession'].sort(), flags);
    }
    assert.ok(onPage('sessionWritable').includes('sessionTree.label') && !onPage().includes('sessionTree.label'));
  });

  it('has the items of the entry’s row at the same places', () => {
    const places = (items: readonly Item[]): string[] =>
      items.map(({ command, submenu, group }) => `${group} ${command ?? submenu!}`).filter((place) => !/reveal|Selection/.test(place));
    const page = shown(menus['webview/context']!, inMessage('sessionWritable', 'entryLabeled'));
    assert.deepEqual(places(page), places(itemsOf('entry file readable writable labeled')));
  });

  it('begins with the label and the branch', () => {
    const first = itemsOf(ROWS.entry).slice(0, 5);
    assert.deepEqual(
      first.map(({ command }) => command),
      ['label', 'clearLabel', 'branchHere', 'branchWithFiles', 'branchAndResume'].map((name) => `sessionTree.${name}`),
    );
  });
});

describe('Menus', () => {
  it('have at most 12 items', () => {
    for (const [name, flags] of Object.entries(ROWS))
      for (const selection of [ONE, TWO]) assert.ok(itemsOf(flags, selection).length <= 12, `${name}: ${itemsOf(flags, selection).length}`);
    const page = shown(menus['webview/context']!, inMessage('sessionWritable', 'entryLabeled', 'hasSelection'));
    assert.ok(page.length <= 12, String(page.length));
    for (const [name, items] of Object.entries(menus)) if (name.startsWith('sessionTree.')) assert.ok(items.length <= 12, name);
  });

  it('have each submenu once: the editor ignores a second one', () => {
    for (const [name, items] of Object.entries(menus)) {
      const submenus = items.flatMap(({ submenu }) => submenu ?? []);
      assert.deepEqual(submenus, [...new Set(submenus)], name);
    }
  });

  it('of several rows offer only what applies to all of them', () => {
    const several = (name: keyof typeof ROWS): string[] => inTree(ROWS[name], TWO).map((command) => command.replace('sessionTree.', ''));
    assert.deepEqual(several('session'), [
      ...['archive', 'compareFiles', 'compareSelected', 'copyId', 'copyLink', 'copyPath', 'delete', 'dropWaiting', 'exportSessions'],
      ...['fork', 'forkTo', 'note', 'openMarkdown', 'openMarkdownSource', 'pin', 'tag'],
    ]);
    assert.deepEqual(several('entry'), [
      ...['clearLabel', 'compareFiles', 'compareSelected', 'copyId', 'copyLink', 'copyPath', 'copyText', 'fork', 'forkTo'],
      ...['openMarkdown', 'openMarkdownSource'],
    ]);
    assert.deepEqual(several('project'), ['copyPath', 'exportSessions']);
    assert.deepEqual([inTree('note'), inTree('note', TWO)], [['sessionTree.goToTip'], []]);
  });

  it('of a project whose folder is gone lead to Relink, and start nothing there', () => {
    const [first, ...others] = itemsOf(ROWS['missing project']);
    assert.equal(first?.command, 'sessionTree.relink');
    for (const name of ['newSession', 'openFolder', 'relink'])
      assert.ok(!others.some(({ command }) => command === `sessionTree.${name}`), name);
    assert.ok(itemsOf(ROWS.project).some(({ command }) => command === 'sessionTree.newSession'));
  });
});

describe('The menu of the view’s title', () => {
  it('starts a new session', () => {
    const items = offered(menus['view/title']!, (condition) => condition === 'view == sessionTree.sessions');
    assert.ok(items.includes('sessionTree.newSession'), items.join());
  });
});

describe('The category of all commands', () => {
  it('is the product’s name, so that typing it in the palette finds them', () => {
    const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
    const { commands } = (JSON.parse(read('package.json')) as { contributes: { commands: { category: string }[] } }).contributes;
    assert.deepEqual([...new Set(commands.map(({ category }) => texts[category.replaceAll('%', '')]))], [texts['displayName']]);
  });
});

describe('The page’s strings', () => {
  const titles = JSON.parse(read('package.nls.json')) as Record<string, string>;
  const names = read('src/context/page/shell/names.ts');
  const menu = read('src/context/page/shell/navigationMenu.ts');
  const find = read('src/context/page/find/findBar.ts');
  /** Returns the name that an action has in `names.ts`. */
  const nameOf = (action: string): string | undefined => new RegExp(`\\n  ${action}: \\(\\) => t\\('([^']*)'\\)`).exec(names)?.[1];

  it('match the titles of the commands', () => {
    const same = {
      openMarkdown: 'openMarkdown',
      exportSession: 'exportSession',
      branchHere: 'branchHere',
      label: 'label',
      fork: 'fork',
      resume: 'resume',
      copyText: 'copyText',
      copyLink: 'copyLink',
      openRaw: 'openRaw',
      reveal: 'revealSession',
      contextHere: 'showContext',
    };
    for (const [name, command] of Object.entries(same)) assert.equal(nameOf(name), titles[`command.${command}`], name);
    assert.ok(find.includes(`t('${titles['command.findInContext']!}')`));
    for (const kind of ['User', 'Error', 'Label', 'Compaction']) {
      for (const step of ['Next', 'Previous'])
        assert.ok(menu.includes(`t('${titles[`command.context${step}${kind}`]!.replace(/^Go to /, '')}')`), `${step} ${kind}`);
    }
  });
});
