import assert from 'node:assert/strict';
import { parseQuery } from '../../../src/core/catalog/search/query/searchQuery';
import {
  applyCompletion,
  completions,
  isOnlyExcluding,
  searchTruncation,
  folderBaseName,
  matchFolders,
  parseSearchQuery,
  matchTools,
  prefixBeingTyped,
  typedSince,
} from '../../../src/core/catalog/search/query/queryPrefixes';

describe('The search field', () => {
  it('keeps the words that were typed behind a query whose replacement is chosen', () => {
    assert.equal(typedSince('role:bot ', 'role:bot release', 'role:user '), 'release');
    assert.equal(typedSince('role:bot', 'role:bot release', 'role:user'), ' release');
    assert.equal(typedSince('tool:g', 'tool:gr', 'tool:grep '), '');
    assert.equal(typedSince('role:bot ', 'role:b', 'role:user '), '');
    assert.equal(typedSince('', 'rol', 'role:'), '');
    assert.equal(typedSince('role:bot rel', 'role:bot release', 'role:user rel'), 'ease');
    assert.equal(typedSince('release role:b', 'release role:bo', 'release role:user'), '');
  });

  it('passes words to the catalog', () => {
    assert.deepEqual(parseSearchQuery(' some "exact words" -not beg* '), { query: 'some "exact words" -not beg*' });
    assert.deepEqual(parseSearchQuery('https://a.b barrole:user'), { query: 'https://a.b barrole:user' });
    assert.deepEqual(parseSearchQuery('"in role:user words" -"tool:x y" why'), { query: '"in role:user words" -"tool:x y" why' });
    assert.deepEqual(parseSearchQuery('"role:user" why'), { query: '"role:user" why' });
  });

  it('accepts prefixes anywhere, each several times', () => {
    assert.deepEqual(parseSearchQuery('role:user why'), { query: 'why', roles: ['user'] });
    assert.deepEqual(parseSearchQuery('why role:Name'), { query: 'why', roles: ['session_info', 'title', 'title_change'] });
    assert.deepEqual(parseSearchQuery('role:tool role:custom'), { query: '', roles: ['toolCall', 'toolResult', 'custom'] });
    assert.deepEqual(parseSearchQuery('role:constructor'), { query: '', roles: ['constructor'] });
    assert.deepEqual(parseSearchQuery('label:fix it'), { query: 'it', labels: ['fix'] });
    assert.deepEqual(parseSearchQuery('label:"the fix"'), { query: '', labels: ['"the fix"'] });
    assert.deepEqual(parseSearchQuery('project:"my shop" role:user slow'), { query: 'slow', roles: ['user'], projects: ['my shop'] });
    assert.deepEqual(parseSearchQuery('tool:bash TOOL:edit file:src/a.ts npm'), {
      query: 'npm',
      tools: ['bash', 'edit'],
      files: ['src/a.ts'],
    });
  });

  it('can be parsed while a prefix is being typed', () => {
    assert.deepEqual(parseSearchQuery('why role:'), { query: 'why' });
    assert.deepEqual(parseSearchQuery('why project:'), { query: 'why' });
    assert.deepEqual(parseSearchQuery('file:"my f'), { query: '', files: ['my f'] });
    assert.deepEqual(parseSearchQuery('label:'), { query: '', labels: [''] }, 'any label');
  });

  it('completes the prefix at its end', () => {
    assert.deepEqual(prefixBeingTyped('why tool:ba'), { prefix: 'tool', value: 'ba', before: 'why tool:' });
    assert.deepEqual(prefixBeingTyped('project:"my s'), { prefix: 'project', value: 'my s', before: 'project:' });
    assert.deepEqual(prefixBeingTyped('tool:'), { prefix: 'tool', value: '', before: 'tool:' });
    for (const text of ['tool:bash ', 'tool:bash why', 'why', '', 'project:"my shop"', '"tool:ba"'])
      assert.equal(prefixBeingTyped(text), undefined, text);
    assert.deepEqual(completions('sh', ['webshop', 'shop', 'Shell', 'x']), ['shop', 'Shell', 'webshop']);
    assert.deepEqual(completions('SHOP', ['webshop', 'shop']), []);
    assert.equal(applyCompletion('why tool:', 'bash'), 'why tool:bash ');
    assert.equal(applyCompletion('project:', 'my shop'), 'project:"my shop" ');
  });

  it('matches projects by name, by its beginning, or by a part of the folder', () => {
    const folders = ['/code/shop', '/code/shop', '/code/shop-admin', 'C:\\old\\Lab', ''];
    assert.deepEqual(matchFolders('shop', folders), ['/code/shop']);
    assert.deepEqual(matchFolders('Sho', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(matchFolders('lab', folders), ['C:\\old\\Lab']);
    assert.deepEqual(matchFolders('code/', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(matchFolders('nowhere', folders), []);
    assert.deepEqual(['/code/shop/', 'C:\\old\\Lab', '/'].map(folderBaseName), ['shop', 'Lab', '/']);
  });

  it('matches tools by name or by its beginning', () => {
    assert.deepEqual(matchTools('READ', ['read', 'read_file', 'write']), ['read']);
    assert.deepEqual(matchTools('rea', ['read', 'read_file', 'write']), ['read', 'read_file']);
    assert.deepEqual(matchTools('ite', ['write']), []);
  });

  it('of exclusions alone excludes only if a prefix limits the search', () => {
    for (const text of ['-a', ' -"a b" -c']) assert.equal(isOnlyExcluding(text), true, text);
    for (const text of ['-a b', '--force', '-', '-a role:user', '']) assert.equal(isOnlyExcluding(text), false, text);
  });

  it('is cut at its limits, and reports which one', () => {
    const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
    assert.deepEqual(
      [words(32), words(33), `"${words(33)}"`, `${words(31)} -b -c`, `-"${words(40)}"`, 'role:user '.repeat(40) + words(3)].map(
        searchTruncation,
      ),
      [undefined, 'words', 'words', 'words', 'words', 'values'],
    );
    assert.deepEqual(['x'.repeat(4000), 'x'.repeat(4001), words(100_000)].map(searchTruncation), [undefined, 'units', 'units']);
    assert.deepEqual(parseSearchQuery('file:a '.repeat(40)).files?.length, 16);
    assert.deepEqual(parseQuery(words(100_000))?.all.length, 32);
    assert.deepEqual(
      parseQuery(`"${words(40)}"`)?.all.map((term) => term.words.length),
      [32],
    );
  });
});
