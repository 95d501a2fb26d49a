import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as walkthroughModule from '../../../src/commands/open/walkthrough';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/commands/open/walkthrough.js');

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image: Readonly<Record<string, string>>; readonly altText: string };
}
interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly Step[] }[];
  };
}

describe('The walkthrough', () => {
  const { publisher, name, contributes } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as Manifest;
  const texts = JSON.parse(readFileSync(resolve('package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
  const walkthrough = contributes.walkthroughs[0] ?? assert.fail('there is no walkthrough');
  let isOn: boolean | undefined;
  let stored: Map<string, unknown>;
  let calls: unknown[][];
  let loaded: typeof walkthroughModule;

  beforeEach(() => {
    isOn = true;
    stored = new Map();
    calls = [];
    loaded = loadWithVscode(MODULE, {
      workspace: { getConfiguration: () => ({ get: () => isOn }) },
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(void calls.push(args)) },
    }) as typeof walkthroughModule;
  });

  const state = {
    keys: () => [],
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };

  it('has buttons and a description that fit beside a picture in a window of 1,100 pixels, in every language', () => {
    const columns = (text: string): number => Array.from(text).reduce((sum, character) => sum + (character > '\u2e80' ? 2 : 1), 0);
    for (const file of readdirSync('.').filter((one) => /^package\.nls(\..+)?\.json$/.test(one))) {
      const translated = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
      assert.ok(columns(translated['walkthrough.description'] ?? '') <= 68, file);
      for (const { description } of walkthrough.steps)
        for (const [, text = ''] of (translated[description.slice(1, -1)] ?? '').matchAll(/\[([^\]]+)\]\(/g))
          assert.ok(columns(text) <= 30, `${file}: ${text}`);
    }
  });

  it('opens once', async () => {
    await loaded.openWalkthroughOnce(state);
    await loaded.openWalkthroughOnce(state);
    assert.deepEqual(calls, [['workbench.action.openWalkthrough', `${publisher}.${name}#${walkthrough.id}`, false]]);
  });

  it('doesn’t open where walkthroughs are turned off, and opens when they are turned on', async () => {
    isOn = false;
    await loaded.openWalkthroughOnce(state);
    assert.deepEqual(calls, []);
    isOn = undefined;
    await loaded.openWalkthroughOnce(state);
    assert.equal(calls.length, 1);
  });

  it('has pictures that exist, and buttons whose commands exist', () => {
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => `${id}.focus`));
    const commands = [...contributes.commands.map(({ command }) => command), ...views];
    assert.deepEqual(
      walkthrough.steps.map(({ id }) => id),
      ['see', 'read', 'search', 'lines', 'review', 'back', 'export'],
    );
    for (const { title, description, media } of walkthrough.steps) {
      for (const path of Object.values(media.image)) assert.ok(existsSync(resolve(path)), path);
      for (const text of [title, description, media.altText]) assert.ok(texts[text.slice(1, -1)], text);
      const [, command = ''] = /\(command:([\w.]+)\)/.exec(texts[description.slice(1, -1)] ?? '') ?? [];
      assert.ok(commands.includes(command), command);
    }
  });
});
