import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as settingsModule from '../../../src/commands/export/redactionSettings';
import { PERSONAL_KINDS, type RedactOptions } from '../../../src/core/index';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The settings of what an export replaces', () => {
  function read(settings: Readonly<Record<string, unknown>>): RedactOptions {
    const { api } = fakeEditor();
    const { redactionSettings } = loadWithVscode(join(__dirname, '../../../src/commands/export/redactionSettings.js'), {
      ...api,
      workspace: { ...api.workspace, getConfiguration: () => ({ get: (name: string): unknown => settings[name] }) },
    }) as typeof settingsModule;
    return redactionSettings();
  }
  const all = (on: boolean) => Object.fromEntries(PERSONAL_KINDS.map((kind) => [kind, on]));

  it('replace everything unless a kind is switched off', () => {
    assert.deepEqual(read({}), { ...all(true), words: [] });
    assert.deepEqual(read({ ...all(true), patterns: [] }), { ...all(true), words: [] });
    const [kind] = PERSONAL_KINDS;
    assert.deepEqual(read({ [kind]: false }), { ...all(true), [kind]: false, words: [] });
  });

  it('count a value of another type as on, and use only the texts among the words', () => {
    assert.deepEqual(read({ [PERSONAL_KINDS[0]]: 'false', patterns: ['Ada', 1, null] }), { ...all(true), words: ['Ada'] });
    assert.deepEqual(read({ patterns: 'Ada' }).words, []);
  });
});
