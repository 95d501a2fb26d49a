import assert from 'node:assert/strict';
import { join } from 'node:path';
import { turnOf, type FileRevision } from '../../../src/core/index';
import type * as itemsModule from '../../../src/fileVersions/versionItems';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';

describe('The tooltip of a file’s version', () => {
  const { versionTooltip } = loadWithVscode(
    join(__dirname, '../../../src/fileVersions/versionItems.js'),
    fakeEditor().api,
  ) as typeof itemsModule;
  const builder = session().user('Make a door').tool('write', { path: 'a.ts', content: 'x' }).name('Doors');
  const turn = turnOf(read(builder), entryId(2));
  // Tests of the view have real versions; the tooltip needs only these parts.
  const version = { kind: 'write', added: 3, removed: 1, time: 0, certainty: 'exact' } as unknown as FileRevision;
  const paragraphs = (known: typeof turn | undefined): string[] =>
    versionTooltip(
      { row: 'entry', path: '/s/one.jsonl', entryId: entryId(2), file: '/work/a.ts', version, turn: known },
      String,
    ).value.split('\n\n');

  it('has the prompt, the change, the session and the model', () => {
    assert.deepEqual(paragraphs(turn).slice(0, 3), ['**Make a door**', 'written · +3 −1', `Doors · pi · ${turn.model!.modelId}`]);
  });

  it('names the file of a session that can’t be read', () => {
    assert.deepEqual(paragraphs(undefined).slice(0, 3), ['**one.jsonl**', 'written · +3 −1', 'one.jsonl']);
  });
});
