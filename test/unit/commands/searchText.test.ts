import assert from 'node:assert/strict';
import { parseQuery } from '../../../src/core/catalog/query';
import { completed, completions, cutOfSearch, folderName, foldersOf, parseSearch, toolsOf, typingOf } from '../../../src/commands/searchText';

describe('what is typed into the search', () => {
  it('is words for the catalog', () => {
    assert.deepEqual(parseSearch(' some "exact words" -not beg* '), { query: 'some "exact words" -not beg*' });
    assert.deepEqual(parseSearch('https://a.b barrole:user'), { query: 'https://a.b barrole:user' });
    assert.deepEqual(parseSearch('"in role:user words" -"tool:x y" why'), { query: '"in role:user words" -"tool:x y" why' });
    assert.deepEqual(parseSearch('"role:user" why'), { query: '"role:user" why' });
  });

  it('may have where to look in it, anywhere, each of them several times', () => {
    assert.deepEqual(parseSearch('role:user why'), { query: 'why', roles: ['user'] });
    assert.deepEqual(parseSearch('why role:Name'), { query: 'why', roles: ['session_info', 'title', 'title_change'] });
    assert.deepEqual(parseSearch('role:tool role:custom'), { query: '', roles: ['toolCall', 'custom'] });
    assert.deepEqual(parseSearch('role:constructor'), { query: '', roles: ['constructor'] });
    assert.deepEqual(parseSearch('label:fix it'), { query: 'it', labels: ['fix'] });
    assert.deepEqual(parseSearch('label:"the fix"'), { query: '', labels: ['"the fix"'] });
    assert.deepEqual(parseSearch('project:"my shop" role:user slow'), { query: 'slow', roles: ['user'], projects: ['my shop'] });
    assert.deepEqual(parseSearch('tool:bash TOOL:edit file:src/a.ts npm'), { query: 'npm', tools: ['bash', 'edit'], files: ['src/a.ts'] });
  });

  it('is whole while a prefix is still being typed', () => {
    assert.deepEqual(parseSearch('why role:'), { query: 'why' });
    assert.deepEqual(parseSearch('why project:'), { query: 'why' });
    assert.deepEqual(parseSearch('file:"my f'), { query: '', files: ['my f'] });
    assert.deepEqual(parseSearch('label:'), { query: '', labels: [''] }, 'any label');
  });

  it('offers values for the prefix at its end', () => {
    assert.deepEqual(typingOf('why tool:ba'), { prefix: 'tool', value: 'ba', before: 'why tool:' });
    assert.deepEqual(typingOf('project:"my s'), { prefix: 'project', value: 'my s', before: 'project:' });
    assert.deepEqual(typingOf('tool:'), { prefix: 'tool', value: '', before: 'tool:' });
    for (const text of ['tool:bash ', 'tool:bash why', 'why', '', 'project:"my shop"', '"tool:ba"']) assert.equal(typingOf(text), undefined, text);
    assert.deepEqual(completions('sh', ['webshop', 'shop', 'Shell', 'x']), ['shop', 'Shell', 'webshop']);
    assert.deepEqual(completions('SHOP', ['webshop', 'shop']), []);
    assert.equal(completed('why tool:', 'bash'), 'why tool:bash ');
    assert.equal(completed('project:', 'my shop'), 'project:"my shop" ');
  });

  it('means a project by its name, by the beginning of it, or by a part of its folder', () => {
    const folders = ['/code/shop', '/code/shop', '/code/shop-admin', 'C:\\old\\Lab', ''];
    assert.deepEqual(foldersOf('shop', folders), ['/code/shop']);
    assert.deepEqual(foldersOf('Sho', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(foldersOf('lab', folders), ['C:\\old\\Lab']);
    assert.deepEqual(foldersOf('code/', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(foldersOf('nowhere', folders), []);
    assert.deepEqual(['/code/shop/', 'C:\\old\\Lab', '/'].map(folderName), ['shop', 'Lab', '/']);
  });

  it('means a tool by its name, or by the beginning of it', () => {
    assert.deepEqual(toolsOf('READ', ['read', 'read_file', 'write']), ['read']);
    assert.deepEqual(toolsOf('rea', ['read', 'read_file', 'write']), ['read', 'read_file']);
    assert.deepEqual(toolsOf('ite', ['write']), []);
  });

  it('is looked at so far and no farther, and what is left out is told', () => {
    const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
    assert.deepEqual([words(32), words(33), `"${words(33)}"`, `${words(31)} -b -c`, `-"${words(40)}"`, 'role:user '.repeat(40) + words(3)].map(cutOfSearch), [undefined, 'words', 'words', 'words', 'words', 'values']);
    assert.deepEqual(['x'.repeat(4000), 'x'.repeat(4001), words(100_000)].map(cutOfSearch), [undefined, 'units', 'units']);
    assert.deepEqual(parseSearch('file:a '.repeat(40)).files?.length, 16);
    assert.deepEqual(parseQuery(words(100_000))?.all.length, 32);
    assert.deepEqual(parseQuery(`"${words(40)}"`)?.all.map((term) => term.words.length), [32]);
  });
});
