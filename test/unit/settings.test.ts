import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> } };
}

/** Settings of filters. Every workspace may set them, trusted or not. */
const HARMLESS = ['sessionTree.filter', 'sessionTree.program', 'sessionTree.hideEmpty'];

describe('Settings of a workspace', () => {
  const { capabilities, contributes } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as Manifest;
  const settings = Object.entries(contributes.configuration.properties);

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
