import assert from 'node:assert/strict';
import { parseFileLocation, looksLikeFilePath } from '../../../src/core/format/text/fileLocation';

describe('parseFileLocation', () => {
  it('reads a path with an optional line and column', () => {
    assert.deepEqual(parseFileLocation('src/a.ts'), { path: 'src/a.ts' });
    assert.deepEqual(parseFileLocation('src/a.ts:12'), { path: 'src/a.ts', line: 12 });
    assert.deepEqual(parseFileLocation('src/a.ts:12:5'), { path: 'src/a.ts', line: 12, column: 5 });
    assert.deepEqual(parseFileLocation('src/a.ts:10-29'), { path: 'src/a.ts', line: 10 });
    assert.deepEqual(parseFileLocation('~/notes/x.md#L3-L9'), { path: '~/notes/x.md', line: 3 });
    assert.deepEqual(parseFileLocation('/a folder/b.ts:0'), { path: '/a folder/b.ts' });
    assert.deepEqual(parseFileLocation('C:\\a\\b.ts:7'), { path: 'C:\\a\\b.ts', line: 7 });
  });

  it('refuses URLs, paths of other computers, and paths with bidi or control characters', () => {
    for (const text of [
      '',
      'https://example.org/a.ts',
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'vscode://x/y',
      '\\\\server\\share\\a',
      '//server/share/a',
      '\\/server/a',
      'a\u202eb.ts',
      'a\nb',
      `${'a/'.repeat(300)}b`,
    ]) {
      assert.equal(parseFileLocation(text), undefined, text);
    }
  });

  it('recognizes texts that look like files', () => {
    for (const text of [
      'src/a.ts',
      'a.ts',
      'package.json:3',
      './x/y',
      '../x',
      '~/x.md',
      '/etc/hosts',
      'C:\\a\\b.ts',
      'fix/discount',
      '.eslintrc.json',
      'src/a.ts:10-29',
    ])
      assert.equal(looksLikeFilePath(text), true, text);
    for (const text of [
      'discount',
      'npm test',
      '--grep',
      'a/',
      '...',
      '12.5',
      'x = y.z',
      'f(a.b)',
      'https://a.b/c',
      'a, b.ts',
      '$HOME/x',
      '*.ts',
      '',
    ])
      assert.equal(looksLikeFilePath(text), false, text);
  });
});
