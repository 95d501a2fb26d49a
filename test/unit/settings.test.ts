import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FILTERS } from '../../src/core/format/session/entryFilter';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: { readonly configuration: readonly SettingGroup[] };
}

interface SettingGroup {
  readonly title: string;
  readonly properties: Readonly<Record<string, Setting>>;
}

interface Setting {
  readonly scope?: string;
  readonly order?: number;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly markdownDescription?: string;
  readonly enumDescriptions?: readonly string[];
  readonly examples?: readonly unknown[];
}

/** Settings of what is shown. Every workspace may set them, trusted or not. */
const HARMLESS = [
  'sessionTree.filter',
  'sessionTree.program',
  'sessionTree.hideEmpty',
  'sessionTree.hideSubagents',
  'sessionTree.worktrees',
  'sessionTree.statusBar',
  'sessionTree.badge',
  'sessionTree.notifications',
  'sessionTree.autoReveal',
  'sessionTree.openOnClick',
  'sessionTree.lineOrigins.hover',
  'sessionTree.lineOrigins.currentLine',
  'sessionTree.lineOrigins.codeLens',
  'sessionTree.describeChanges.cost',
];

describe('Settings of a workspace', () => {
  const { capabilities, contributes } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as Manifest;
  const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

  it('name no programs and folders before the workspace is trusted', () => {
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
    const others = settings.filter(
      ([name, { scope }]) => !HARMLESS.includes(name) && !restrictedConfigurations.includes(name) && scope !== 'machine',
    );
    assert.deepEqual(
      others.map(([name]) => name),
      [],
    );
    for (const name of ['sessionTree.roots', 'sessionTree.programs']) assert.ok(restrictedConfigurations.includes(name), name);
  });

  it('never change where deleted sessions go and how long they are kept', () => {
    const scopes = Object.fromEntries(settings.map(([name, { scope }]) => [name, scope]));
    assert.deepEqual([scopes['sessionTree.trash'], scopes['sessionTree.keepDays']], ['machine', 'machine']);
  });
});

describe('Every setting', () => {
  const { contributes } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as Manifest;
  const texts = JSON.parse(readFileSync(resolve('package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
  const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  const isText = (key: string | undefined): boolean =>
    key !== undefined && (!key.startsWith('%') || (texts[key.slice(1, -1)] ?? '') !== '');

  it('has a description, a scope, and a place among the others', () => {
    for (const [name, { markdownDescription, scope, enum: values, enumDescriptions = [] }] of settings) {
      assert.ok(isText(markdownDescription) && scope !== undefined, name);
      assert.equal(enumDescriptions.filter(isText).length, values?.length ?? 0, name);
    }
    assert.deepEqual(
      settings.map(([, { order }]) => order),
      settings.map((_, at) => at + 1),
    );
  });

  it('is in a group with a title; folders come first, and last what the view’s menus change', () => {
    const groups = contributes.configuration.map(({ title, properties }) => [isText(title), ...Object.keys(properties)] as const);
    assert.ok(groups.every(([hasTitle]) => hasTitle));
    assert.equal(groups[0]![1], 'sessionTree.roots');
    assert.deepEqual(
      groups.at(-1)!.slice(1),
      ['filter', 'program', 'hideEmpty', 'hideSubagents'].map((name) => `sessionTree.${name}`),
    );
  });

  it('has an example that it accepts and that differs from its default', () => {
    const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
    for (const [name, { examples = [], type, enum: values, default: unset }] of settings) {
      assert.ok(examples.length > 0, name);
      for (const example of examples) {
        assert.equal(typeOf(example), type, name);
        assert.ok(values?.includes(example) ?? true, name);
        assert.notDeepEqual(example, unset, name);
      }
    }
  });

  it('of a filter has all filters as its values', () => {
    assert.deepEqual(Object.fromEntries(settings)['sessionTree.filter']?.enum, FILTERS);
  });
});
