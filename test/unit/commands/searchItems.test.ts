import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ThemeIcon } from 'vscode';
import type { SearchHit } from '../../../src/core/index';
import type * as hintsModule from '../../../src/commands/search/searchHints';
import type * as itemsModule from '../../../src/commands/search/searchItems';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { file } from '../tree/storedFiles';

describe('The items of the search', () => {
  const { api } = fakeEditor();
  const { hintItems } = loadWithVscode(join(__dirname, '../../../src/commands/search/searchHints.js'), api) as typeof hintsModule;
  const { hitItems } = loadWithVscode(join(__dirname, '../../../src/commands/search/searchItems.js'), api) as typeof itemsModule;

  it('offer each prefix with an icon of its own', () => {
    assert.deepEqual(
      hintItems().map(({ label, iconPath }) => [label, (iconPath as ThemeIcon).id]),
      [
        ['role:', 'account'],
        ['tool:', 'tools'],
        ['file:', 'file'],
        ['label:', 'tag'],
        ['project:', 'folder'],
        ['tag:', 'bookmark'],
        ['is:', 'pulse'],
        ['after:', 'calendar'],
        ['before:', 'calendar'],
      ],
    );
  });

  it('show Markdown as text, but code as it is', () => {
    const labelOf = (role: string): string | undefined => {
      // The other parts of a hit aren't shown.
      const hit = { path: '/s.jsonl', entryId: 'a', time: 0, role, snippet: 'a **b** c', marks: [], active: true } as unknown as SearchHit;
      return hitItems([hit], { ago: () => '', summary: () => undefined, typed: 'other' })[0]?.label;
    };
    assert.deepEqual(['assistant', 'bashExecution', 'pythonExecution'].map(labelOf), ['a b c', 'a **b** c', 'a **b** c']);
  });

  it('say whose subagent wrote the session of a hit', () => {
    const listed = file('/parent.jsonl', '/work/app', 1, { name: 'Start agents' });
    assert.ok(listed.kind === 'session');
    const summaries = new Map([[listed.path, listed.summary]]);
    const hit = { path: '/child.jsonl', entryId: 'a', time: 0, role: 'user', snippet: 'b', marks: [], active: true } as Partial<SearchHit>;
    const detailWith = (parents: ReadonlyMap<string, string>): string =>
      hitItems([hit as SearchHit], { ago: () => '', summary: (path) => summaries.get(path), parents, typed: '' })[0]?.detail ?? '';
    assert.match(detailWith(new Map([['/child.jsonl', '/parent.jsonl']])), / · subagent of Start agents · /);
    assert.doesNotMatch(detailWith(new Map()), /subagent/);
  });
});
