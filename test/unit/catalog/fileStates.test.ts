import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileAt, fileBefore, fileStateAt, fileVersions, type Catalog } from '../../../src/core/index';
import { entryId } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { TimedSession } from '../../fixtures/timedSession';

const ALPHA = 'alpha();\nbeta();\n';
const [READ, EDITED] = ['one();\ntwo();\nthree();\n', 'one();\nTWO();\nthree();\n'];
const PATCH = '--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n one();\n-two();\n+TWO();\n three();\n';

describe('A file before and after a message', () => {
  const project = testFolder();
  const store = testCatalog();
  const file = (): string => join(project.path, 'a.ts');
  /** A session that began some minutes after ten. */
  const here = (minutes = 0, header: object = {}): TimedSession => new TimedSession(project.path, minutes, header);
  const ref = (name: string, n: number) => ({ path: store.path(name), entryId: entryId(n) });
  const at = (catalog: Catalog, name: string, n: number): Promise<unknown> => fileAt(catalog, file(), ref(name, n));
  const before = (catalog: Catalog, name: string, n: number): Promise<unknown> => fileBefore(catalog, file(), ref(name, n));

  const edit = { path: 'a.ts', edits: [{ oldText: 'two();', newText: 'TWO();' }] };
  const written = (): TimedSession => here().tool('write', { path: 'a.ts', content: ALPHA });
  const rewritten = (text = READ): TimedSession =>
    here(60).tool('read', { path: 'a.ts' }, text).tool('edit', edit, 'done', { patch: PATCH });

  it('is what the session read, even if another one had written something else', async () => {
    await project.write('a.ts', EDITED);
    const catalog = await store.open({ a: written(), b: rewritten() });
    assert.deepEqual(await before(catalog, 'b', 4), { text: READ, exact: true });
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED, exact: true });
    assert.deepEqual(await at(catalog, 'b', 2), { text: READ, exact: true });
    assert.deepEqual(await at(catalog, 'a', 2), { text: ALPHA, exact: true });
    const versions = await fileVersions(catalog, file());
    assert.deepEqual(
      versions.map(({ added, removed, certainty }) => [added, removed, certainty]),
      [
        [2, 0, 'likely'],
        [1, 1, 'exact'],
      ],
    );
  });

  it('is only what the edit changed if nothing shows the text that it found', async () => {
    await project.write('a.ts', EDITED);
    const edited = here(60).tool('edit', edit);
    const catalog = await store.open({
      a: written(),
      b: edited,
      c: here(120).tool('edit', edit, 'done', { patch: PATCH.replace('@@ -1,3', '@@ -9,3') }),
    });
    assert.deepEqual(await before(catalog, 'b', 2), { text: 'two();', exact: false });
    assert.deepEqual(await at(catalog, 'b', 2), { text: 'TWO();', exact: false });
    assert.deepEqual(await at(catalog, 'c', 2), { text: EDITED.trimEnd(), exact: false });
  });

  it('is only what the edit changed if a part that was read is another one', async () => {
    const edited = written().tool('edit', { path: 'a.ts', oldText: 'alpha', newText: 'ALPHA' });
    const part = here(60).tool('read', { path: 'a.ts', offset: 2, limit: 1 }, 'other();');
    const catalog = await store.open({ a: edited, b: part });
    assert.deepEqual(await at(catalog, 'a', 4), { text: 'ALPHA', exact: false });
  });

  it('doesn’t take a part that was read for all of the file', async () => {
    const cut = 'one();\ntwo();\n\n[Showing lines 1-2 of 900. Use offset=3 to continue.]';
    const reads: readonly [Record<string, unknown>, string][] = [
      [{ path: 'a.ts', limit: 2 }, 'one();\ntwo();\n\n[898 more lines in file. Use offset=3 to continue.]'],
      [{ path: 'a.ts', offset: 1 }, READ],
      [{ path: 'a.ts' }, cut],
    ];
    for (const [args, text] of reads) {
      const catalog = await store.open({ a: here().tool('read', args, text).tool('edit', edit) });
      assert.deepEqual(await at(catalog, 'a', 4), { text: 'TWO();', exact: false }, text);
    }
  });

  it('has the line breaks, the mark and the end that were read', async () => {
    for (const text of ['\uFEFFone();\r\ntwo();\r\nthree();\r\n', 'one();\ntwo();', 'ünï();\ntwo(); // 😀\n']) {
      const catalog = await store.open({ a: here().tool('read', { path: 'a.ts' }, text).tool('edit', edit) });
      await project.write('a.ts', text.replace('two', 'TWO'));
      assert.deepEqual(await at(catalog, 'a', 4), { text: text.replace('two', 'TWO'), exact: true });
    }
  });

  it('is what oh-my-pi read, with the line breaks that the disk has', async () => {
    await project.write('a.ts', EDITED);
    const shown = '[a.ts#A1B2]\n1:one();\n2:two();\n3:three();';
    const details = { path: 'a.ts', diff: ' 1|one();\n-2|two();\n+2|TWO();\n 3|three();' };
    const omp = here(60, { titleSource: 'auto' })
      .tool('read', { path: 'a.ts' }, shown)
      .tool('edit', { input: '[a.ts#A1B2]\nPUT 2.=2:\n+TWO();' }, 'Updated', details);
    const catalog = await store.open({ a: written(), b: omp });
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED, exact: true });
    assert.deepEqual(await before(catalog, 'b', 4), { text: READ, exact: true });
    rmSync(file());
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED.trimEnd(), exact: false }, 'nothing shows the end');
  });

  it('isn’t exact if the disk has what no session left', async () => {
    const catalog = await store.open({ b: rewritten() });
    await project.write('a.ts', `${EDITED}mine();\n`);
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED.trimEnd(), exact: false });
    await project.write('a.ts', READ);
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED, exact: false }, 'set back');
  });

  it('isn’t exact if a commit has another text', async () => {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-C', project.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T11:30:00Z', GIT_AUTHOR_DATE: '2026-01-02T11:30:00Z' },
      });
    };
    git('init', '-q');
    await project.write('a.ts', `mine();\n${EDITED}`);
    git('add', '.');
    git('commit', '-qm', 'x');
    const later = here(120).tool('edit', { path: 'a.ts', oldText: 'mine', newText: 'ours' });
    const catalog = await store.open({ b: rewritten(), c: later });
    await project.write('a.ts', `ours();\n${EDITED}`);
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED.trimEnd(), exact: false });
    assert.deepEqual(await at(catalog, 'c', 2), { text: `ours();\n${EDITED}`, exact: true });
    assert.deepEqual(await before(catalog, 'c', 2), { text: `mine();\n${EDITED}`, exact: true });
  });

  it('isn’t exact if a command ran, in any session of the folder, unless a later text proves it', async () => {
    const other = here(60.03).tool('bash', { command: 'npm run format' });
    const catalog = await store.open({ b: rewritten(), c: other });
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED, exact: false });
    await project.write('a.ts', EDITED);
    assert.deepEqual(await at(catalog, 'b', 4), { text: EDITED, exact: true });
  });

  it('isn’t there after it was deleted, nor under a new name before it was moved', async () => {
    const patch = (...lines: string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
    const moved = here()
      .tool('write', { path: 'b.ts', content: ALPHA })
      .tool('apply_patch', patch('*** Update File: b.ts', '*** Move to: a.ts', '@@', '-alpha();', '+ALPHA();'))
      .tool('apply_patch', patch('*** Delete File: a.ts'));
    const catalog = await store.open({ a: moved });
    const states = [2, 4, 6].map((n) => at(catalog, 'a', n));
    assert.deepEqual(await Promise.all(states), [undefined, { text: ALPHA.replace('alpha', 'ALPHA'), exact: true }, undefined]);
    const state = await fileStateAt(catalog, file(), ref('a', 6));
    assert.deepEqual(state, { certainty: 'exact', text: '', isAbsent: true });
  });

  it('is that of all sessions in order of time', async () => {
    await project.write('a.ts', '1();\n2();\n');
    const first = here().tool('write', { path: 'a.ts', content: 'one();\ntwo();\n' }).tool('read', { path: 'b.ts' }, 'x');
    const second = here(0.02).tool('edit', { path: 'a.ts', oldText: 'one', newText: '1' });
    const third = here(1).tool('edit', { path: 'a.ts', oldText: 'two', newText: '2' });
    const catalog = await store.open({ a: first, b: second, c: third });
    assert.deepEqual(await at(catalog, 'a', 4), { text: '1();\ntwo();\n', exact: true });
    assert.deepEqual(await before(catalog, 'c', 2), { text: '1();\ntwo();\n', exact: true });
    assert.deepEqual(await at(catalog, 'c', 2), { text: '1();\n2();\n', exact: true });
  });

  it('isn’t known after a call of a tool whose arguments aren’t understood', async () => {
    const odd = written().tool('edit', { path: 'a.ts', magic: 1 });
    const catalog = await store.open({ a: odd.tool('edit', { path: 'a.ts', oldText: 'beta', newText: 'BETA' }) });
    assert.deepEqual(await at(catalog, 'a', 6), { text: 'BETA', exact: false });
    assert.deepEqual((await fileVersions(catalog, file())).length, 2);
  });
});
