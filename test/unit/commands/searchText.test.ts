import assert from 'node:assert/strict';
import { foldersOf, marked, parseSearch } from '../../../src/commands/searchText';

describe('what is typed into the search', () => {
  it('is words for the catalog', () => {
    assert.deepEqual(parseSearch(' some "exact words" -not beg* '), { query: 'some "exact words" -not beg*' });
    assert.deepEqual(parseSearch('https://a.b barrole:user'), { query: 'https://a.b barrole:user' });
  });

  it('may begin with where to look', () => {
    assert.deepEqual(parseSearch('role:user why'), { query: 'why', roles: ['user'] });
    assert.deepEqual(parseSearch('why role:Name'), { query: 'why', roles: ['session_info', 'title', 'title_change'] });
    assert.deepEqual(parseSearch('label:fix it'), { query: 'fix it', roles: ['label'] });
    assert.deepEqual(parseSearch('label:"the fix"'), { query: '"the fix"', roles: ['label'] });
    assert.deepEqual(parseSearch('project:"my shop" role:user slow'), { query: 'slow', roles: ['user'], project: 'my shop' });
  });

  it('is whole while a prefix is still being typed', () => {
    assert.deepEqual(parseSearch('why role:'), { query: 'why' });
    assert.deepEqual(parseSearch('why project:'), { query: 'why' });
  });

  it('means a project by its name, by the beginning of it, or by a part of its folder', () => {
    const folders = ['/code/shop', '/code/shop', '/code/shop-admin', 'C:\\old\\Lab', ''];
    assert.deepEqual(foldersOf('shop', folders), ['/code/shop']);
    assert.deepEqual(foldersOf('Sho', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(foldersOf('lab', folders), ['C:\\old\\Lab']);
    assert.deepEqual(foldersOf('code/', folders), ['/code/shop', '/code/shop-admin']);
    assert.deepEqual(foldersOf('nowhere', folders), []);
  });

  it('is marked in the snippet, unless the editor marks it itself', () => {
    assert.equal(marked('the quick fox', [[4, 9]], 'Quick'), 'the quick fox');
    assert.equal(marked('the quick fox', [[0, 3], [10, 13]], 'fox the'), '‹the› quick ‹fox›');
    assert.equal(marked('a $(seq 20) b', [[0, 1]], 'x'), '‹a› \\$(seq 20) b');
  });
});
