import assert from 'node:assert/strict';
import { join, sep } from 'node:path';
import {
  assertNotInTrash,
  linkToSession,
  linkToSessionId,
  parseSessionIdLink,
  parseSessionLink,
} from '../../../src/commands/open/sessionLink';
import type { Root } from '../../../src/core/index';

const ROOT = join(sep, 'home', 'me', 'sessions');
const ROOTS: readonly Root[] = [{ path: ROOT, dialect: 'pi', flat: false }];

/** Parses a link like the editor, which decodes its parts once. */
function parsed(link: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^[a-z-]+:\/\/pi-session-tree\.pi-session-tree([^?]*)\??(.*)$/.exec(link) ?? assert.fail(link);
  return { path: decodeURIComponent(path), query: decodeURIComponent(query) };
}

describe('Links to sessions', () => {
  it('lead back to their session or entry', () => {
    const names = ['--work-a--/s.jsonl', 'a b&c=d%20+#?é/s.jsonl', 'x&entry=y/s.jsonl'];
    for (const name of names) {
      const path = join(ROOT, ...name.split('/'));
      for (const ref of [{ path, entryId: 'ab12' }]) assert.deepEqual(parseSessionLink(parsed(linkToSession('vscode', ref)), ROOTS), ref);
    }
    const path = join(ROOT, 's.jsonl');
    assert.deepEqual(parseSessionLink(parsed(linkToSession('vscode-insiders', { path })), ROOTS), { path });
    assert.ok(linkToSession('vscode', { path, entryId: 'a' }).startsWith('vscode://pi-session-tree.pi-session-tree/open?path='));
  });

  it('lead to a session of a program by its id, without a path', () => {
    for (const ref of [
      { program: 'pi', sessionId: 'a b/c' },
      { program: 'omp', sessionId: 'x', entryId: 'e1' },
    ] as const)
      assert.deepEqual(parseSessionIdLink(parsed(linkToSessionId('vscode', ref))), ref);
    const others = [
      'program=git&session=x',
      'program=pi&session=',
      'program=pi&session=x&entry=',
      'session=x',
      'path=/x&program=pi&session=x',
    ];
    for (const query of others) assert.equal(parseSessionIdLink({ path: '/open', query }), undefined, query);
    assert.equal(parseSessionIdLink({ path: '/other', query: 'program=pi&session=x' }), undefined);
  });

  const refused = (query: string, message: RegExp, path = '/open'): void => {
    assert.throws(
      () => parseSessionLink({ path, query }, ROOTS),
      (error: Error & { code?: string }) => error.code === 'invalid' && message.test(error.message),
      query,
    );
  };

  it('are refused unless they lead to a session below the known folders', () => {
    const foreign = [
      join(sep, 'etc', 'passwd'),
      join(sep, 'etc', 's.jsonl'),
      join(ROOT, 'secret.txt'),
      ROOT,
      `${ROOT}2${sep}s.jsonl`,
      `${ROOT}${sep}..${sep}other${sep}s.jsonl`,
      `${ROOT}${sep}a${sep}..${sep}s.jsonl`,
      `${sep}${ROOT}${sep}s.jsonl`,
    ];
    for (const path of foreign) refused(`path=${path}&entry=a`, /isn’t one of your sessions/);
    assert.throws(() => parseSessionLink({ path: '/open', query: `path=${join(ROOT, 's.jsonl')}` }, []), /isn’t one of/);
  });

  it('are refused if they lead into a trash folder or another hidden one, or to a file that listings skip', () => {
    const hidden = [
      '.session-tree-trash/x/0.jsonl',
      '.SESSION-TREE-TRASH/x/s.jsonl',
      'project/.session-tree-trash/x/s.jsonl',
      '.git/s.jsonl',
      'project/.s.jsonl',
      'project/a.deleted.jsonl',
    ];
    for (const name of hidden) refused(`path=${join(ROOT, ...name.split('/'))}&entry=a`, /isn’t one of your sessions/);
    // A symbolic link or a short name of Windows can hide the trash folder.
    const path = join(ROOT, 'SESSIO~1', 'x', 's.jsonl');
    assert.throws(() => assertNotInTrash(path, join(ROOT, '.Session-Tree-Trash', 'x', 's.jsonl')), /isn’t one of your sessions/);
    assert.doesNotThrow(() => assertNotInTrash(path, path));
  });

  it('are refused if they are malformed', () => {
    const path = join(ROOT, 's.jsonl');
    for (const query of [
      '',
      'entry=a',
      `entry=a&path=${path}`,
      'path=',
      'path=s.jsonl&entry=a',
      `path=${path}&entry=`,
      `path=${ROOT}${sep}\0.jsonl`,
      `PATH=${path}`,
    ])
      refused(query, /doesn’t point to an entry/);
    for (const other of ['', '/', '/delete', '/open/x', '/OPEN']) refused(`path=${path}&entry=a`, /doesn’t point/, other);
    // Any other parameter is part of the path, which then doesn't exist.
    refused(`path=${path}&force=true`, /isn’t one of/);
    refused(`path=${path}&entry=a&run=x`, /isn’t one of/);
  });

  it('pass on any id as a plain string, which names no entry', () => {
    const path = join(ROOT, 's.jsonl');
    for (const entryId of [
      '__proto__',
      'constructor',
      '../../x',
      '$(id)',
      '[a](command:b)',
      '\u001b[2J',
      'x'.repeat(100_000),
      '<img src=x>',
    ]) {
      assert.deepEqual(parseSessionLink({ path: '/open', query: `path=${path}&entry=${entryId}` }, ROOTS), { path, entryId });
    }
    for (const path of [`${ROOT}/../../.ssh/id.jsonl`, `${ROOT}/a\0.jsonl`, '//host/share/s.jsonl', 's.jsonl', `${ROOT}-other/s.jsonl`]) {
      assert.throws(() => parseSessionLink({ path: '/open', query: `path=${path}` }, ROOTS), { code: 'invalid' }, path);
    }
  });
});
