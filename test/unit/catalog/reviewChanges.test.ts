import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, rm, symlink, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reviewChanges, type Review } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

/** Describes files by their ranges: `1-2 a` are lines of session a, `3-3` those without a session. */
const brief = ({ files }: Review): string[] =>
  files.map(
    ({ path, ranges, isDeleted }) =>
      `${path}: ${isDeleted ? 'deleted' : ''}${ranges.map(({ from, to, origin }) => `${from}-${to}${origin ? ` ${basename(origin.path, '.jsonl')}` : ''}`).join(', ')}`,
  );

describe('the review of a working tree', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  const here = (): SessionBuilder => session({ cwd: project.path }).user('go');
  beforeEach(async () => {
    repository.git('09:00:00', 'init', '-q');
    await project.write('a.ts', 'const old = 0;\nconst kept = 0;\n');
    repository.commit('09:00:00');
  });

  it('distinguishes the lines of sessions from those of people, among changed lines only', async () => {
    await project.write('a.ts', 'const old = 1; // changed\nconst kept = 0;\nconst agent = 1;\nconst second = 2;\nconst mine = 3;\n');
    await project.write('new file.ts', 'const fresh = 1;\n');
    const catalog = await store.open({
      a: here().tool('edit', { path: 'a.ts', oldText: 'kept = 0;\n', newText: 'kept = 0;\nconst agent = 1;\n' }),
      b: session({ cwd: project.path, id: 'b' })
        .user('go')
        .user('and more')
        .user('and more')
        .tool('edit', { path: 'a.ts', oldText: 'agent = 1;\n', newText: 'agent = 1;\nconst second = 2;\n' })
        .tool('write', { path: 'new file.ts', content: 'const fresh = 1;\n' }),
    });
    assert.deepEqual(brief(await reviewChanges(catalog, project.path)), ['a.ts: 1-1, 3-3 a, 4-4 b, 5-5', 'new file.ts: 1-1 b']);
  });

  it('takes the text of the editor, saved or not', async () => {
    const catalog = await store.open({ a: here().tool('edit', { path: 'a.ts', oldText: 'old = 0', newText: 'new = 1' }) });
    const editorText = (file: string): string | undefined =>
      file.endsWith('a.ts') ? '// mine\nconst new = 1;\nconst kept = 0;\n' : undefined;
    await project.write('a.ts', 'const new = 1;\nconst kept = 0;\n');
    assert.deepEqual(brief(await reviewChanges(catalog, project.path, { editorText })), ['a.ts: 1-1, 2-2 a']);
  });

  it('has no files whose text is the same, ignored ones, links, and what is no text', async () => {
    await project.write('.gitignore', 'ignored.ts\n');
    await project.write('ignored.ts', 'x\n');
    await project.write('binary', 'a\0b');
    await symlink('/etc/passwd', join(project.path, 'link.ts'));
    await utimes(join(project.path, 'a.ts'), 1, 1);
    const catalog = await store.open();
    assert.deepEqual(brief(await reviewChanges(catalog, project.path)), ['.gitignore: 1-1']);
  });

  it('has files whose lines were only removed, and deleted ones unless they were links or no text', async () => {
    await project.write('b.ts', 'const gone = 1;\n');
    await project.write('staged.ts', 'const gone = 1;\n');
    await project.write('binary', 'a\0b');
    await symlink('b.ts', join(project.path, 'link.ts'));
    repository.commit('10:00:00');
    for (const name of ['b.ts', 'binary', 'link.ts']) await rm(join(project.path, name));
    repository.git('10:00:00', 'rm', '-q', 'staged.ts');
    await project.write('a.ts', 'const kept = 0;\n');
    const review = await reviewChanges(await store.open(), project.path);
    assert.deepEqual(brief(review), ['a.ts: ', 'b.ts: deleted', 'staged.ts: deleted']);
    assert.match(review.files[1]?.blob ?? '', /^[0-9a-f]{40}$/);
  });

  it('lists a file once that was removed from Git’s index', async () => {
    repository.git('10:00:00', 'rm', '-q', '--cached', 'a.ts');
    assert.deepEqual(brief(await reviewChanges(await store.open(), project.path)), ['a.ts: 1-2']);
  });

  it('works before the first commit, and where nothing differs', async () => {
    const catalog = await store.open();
    assert.deepEqual(await reviewChanges(catalog, project.path), { repository: project.path, files: [], left: 0 });
    await rm(join(project.path, '.git'), { recursive: true });
    repository.git('09:00:00', 'init', '-q');
    repository.git('09:00:00', 'add', '.');
    assert.deepEqual(brief(await reviewChanges(catalog, project.path)), ['a.ts: 1-2']);
  });

  it('leaves out the rest of very many files, but none that a session touched', async () => {
    mkdirSync(join(project.path, 'many'));
    for (let n = 0; n < 310; n++) await project.write(`many/${n}.ts`, `x${n}\n`);
    await project.write('zz.ts', 'const agent = 1;\n');
    const catalog = await store.open({ a: here().tool('write', { path: 'zz.ts', content: 'const agent = 1;\n' }) });
    const review = await reviewChanges(catalog, project.path);
    assert.deepEqual([review.files.length, review.left], [300, 11]);
    assert.equal(brief(review).at(-1), 'zz.ts: 1-1 a');
  });

  it('runs no program that the repository’s configuration names', async () => {
    const ran = join(project.path, '.git', 'ran');
    await project.write('.git/bad.sh', `#!/bin/sh\ntouch '${ran}'\ncat\n`);
    await chmod(join(project.path, '.git/bad.sh'), 0o755);
    await project.write('.gitattributes', '* filter=bad diff=bad\n');
    const program = join(project.path, '.git/bad.sh');
    for (const name of ['filter.bad.clean', 'diff.bad.textconv', 'diff.bad.command', 'core.fsmonitor'])
      repository.git('09:00:00', 'config', name, program);
    await project.write('a.ts', 'const old = 9;\nconst kept = 0;\n');
    // Git looks into files that may have changed in the moment of their index.
    await utimes(join(project.path, '.git/index'), 1, 1);
    const catalog = await store.open();
    assert.deepEqual(brief(await reviewChanges(catalog, project.path)), ['.gitattributes: 1-1', 'a.ts: 1-1']);
    assert.equal(existsSync(ran), false);
    repository.git('09:00:00', 'diff', 'HEAD');
    assert.equal(existsSync(ran), true, 'the programs do run for Git itself');
  });

  it('is refused outside of repositories, and ends with the signal', async () => {
    const catalog = await store.open();
    await assert.rejects(reviewChanges(catalog, project.path, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    await rm(join(project.path, '.git'), { recursive: true });
    await assert.rejects(reviewChanges(catalog, project.path), { code: 'invalid' });
  });
});
