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

/** Returns the commands of a menu and its submenus whose conditions hold. */
const offered = (items: readonly Item[], isSo: (condition: string) => boolean): string[] =>
  items
    .filter(({ when, group }) => !group.startsWith('inline') && (when?.split(' && ').every(isSo) ?? true))
    .flatMap(({ command, submenu }) => (submenu === undefined ? [command!] : offered(menus[submenu]!, isSo)))
    .sort();

/** True in a trusted window of this machine. */
const LOCAL = ['!isWeb', '!remoteName', 'isWorkspaceTrusted'];

const inTree = (flags: string): string[] =>
  offered(menus['view/item/context']!, (condition) => {
    const [, name, pattern] = /^(view|viewItem) =~ \/(.*)\/$/.exec(condition) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(name === 'view' ? 'sessionTree.sessions' : flags);
    return [
      'view == sessionTree.sessions',
      '!listDoubleSelection',
      '!listMultiSelection',
      'sessionTree.compareSelected',
      ...LOCAL,
    ].includes(condition);
  });

const onPage = (...keys: string[]): string[] =>
  offered(menus['webview/context']!, (condition) =>
    [
      'webviewId =~ /^sessionTree\\.(context|session)$/',
      'webviewSection == entry',
      'sessionTree.compareSelected',
      ...LOCAL,
      ...keys,
    ].includes(condition),
  );

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
