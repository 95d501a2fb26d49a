import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileBefore, fileVersions, lineCommit, lineHistory, type FileRevision } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

const brief = ({ entryId: id, kind, added, removed, certainty }: FileRevision): string =>
  `${id} ${kind} +${added} -${removed} ${certainty}`;

describe('Versions of a file', () => {
  const project = testFolder();
  const store = testCatalog();
  const file = (): string => join(project.path, 'a.ts');
  const here = (header: object = {}): SessionBuilder => session({ cwd: project.path, ...header }).user('write it');
  const versions = async (sessions: Record<string, { text(): string }>): Promise<FileRevision[]> =>
    fileVersions(await store.open(sessions), file());

  it('are the messages that changed it, in order of time, with their prompts and the lines that they added and removed', async () => {
    const lines = here()
      .tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' })
      .user('change it')
      .tool('edit', { path: 'a.ts', edits: [{ oldText: 'const two = 2;', newText: 'const two = 3;\nconst more = 4;' }] })
      .tool('write', { path: 'a.ts', content: 'const one = 1;\n' })
      .tool('write', { path: 'b.ts', content: 'x' });
    const found = await versions({ a: lines });
    assert.deepEqual(found.map(brief), [
      `${entryId(2)} write +2 -0 likely`,
      `${entryId(5)} edit +2 -1 exact`,
      `${entryId(7)} write +0 -2 exact`,
    ]);
    assert.deepEqual(found[1], {
      path: store.path('a'),
      entryId: entryId(5),
      promptId: entryId(4),
      time: Date.parse('2026-01-02T10:00:05Z'),
      kind: 'edit',
      added: 2,
      removed: 1,
      certainty: 'exact',
    });
  });

  it('count the lines of a recorded difference', async () => {
    const patch = '@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n';
    const result = { message: { details: { patch } } };
    const [found] = await versions({ a: here().tool('edit', { path: 'a.ts', oldText: 'two', newText: '2\nthree' }, 'done', result) });
    assert.equal(found && brief(found), `${entryId(2)} edit +2 -1 exact`);
  });

  it('are once where forks have copies, and of all branches', async () => {
    const lines = here()
      .tool('write', { path: 'a.ts', content: 'one' })
      .branchFrom(entryId(1))
      .tool('write', { path: 'a.ts', content: 'two' });
    const found = await versions({ a: lines, b: lines });
    assert.deepEqual(
      found.map(({ path, entryId: id }) => [path, id]),
      [
        [store.path('a'), entryId(2)],
        [store.path('a'), entryId(4)],
      ],
    );
  });

  it('combine the calls of a message', async () => {
    const calls = ['one', 'two'].map((word, index) => ({
      type: 'toolCall',
      id: `c${index}`,
      name: 'edit',
      arguments: { path: 'a.ts', oldText: word, newText: `${word}\n${word}` },
    }));
    const result = (id: string) => ({ role: 'toolResult', toolCallId: id, toolName: 'edit', content: [], isError: false });
    const found = await versions({ a: here().assistant(calls).message(result('c0')).message(result('c1')) });
    assert.deepEqual(found.map(brief), [`${entryId(2)} edit +2 -0 exact`]);
  });

  it('are likely where a call has no result', async () => {
    const call = { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'a.ts', oldText: 'one', newText: 'two' } };
    assert.deepEqual((await versions({ a: here().assistant([call]) })).map(brief), [`${entryId(2)} edit +1 -1 likely`]);
  });

  it('end with the signal', async () => {
    const catalog = await store.open({ a: here().tool('write', { path: 'a.ts', content: 'one' }) });
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await assert.rejects(fileVersions(catalog, file(), { signal: stop.signal }), /enough/);
  });

  describe('before a message', () => {
    const before = async (lines: SessionBuilder, id: string) =>
      fileBefore(await store.open({ a: lines }), file(), { path: store.path('a'), entryId: id });

    it('are what the messages before it left', async () => {
      const lines = here()
        .tool('write', { path: 'a.ts', content: 'one\r\ntwo\r\n' })
        .tool('edit', { path: 'a.ts', oldText: 'two', newText: '2' })
        .bash('sed')
        .tool('edit', { path: 'a.ts', oldText: 'one', newText: '1' });
      assert.deepEqual(await before(lines, entryId(4)), { text: 'one\r\ntwo\r\n', exact: false });
      assert.deepEqual(await before(lines, entryId(7)), { text: 'one\r\n2\r\n', exact: false });
      await project.write('a.ts', '1\r\n2\r\n');
      assert.deepEqual(await before(lines, entryId(4)), { text: 'one\r\ntwo\r\n', exact: true }, 'the disk proves it');
      assert.deepEqual(await before(lines, entryId(7)), { text: 'one\r\n2\r\n', exact: true }, 'and what the command left');
      assert.equal(await before(lines, entryId(6)), undefined);
    });

    it('are empty and not exact if nothing is known', async () => {
      assert.deepEqual(await before(here().tool('write', { path: 'a.ts', content: 'one' }), entryId(2)), { text: '', exact: false });
    });
  });

  describe('of a line', () => {
    const history = async (lines: SessionBuilder, text: string, line: number): Promise<string[]> => {
      const catalog = await store.open({ a: lines });
      return (await lineHistory(catalog, file(), { text, line })).map(({ entryId: id, text: was }) => `${id} ${was}`);
    };
    const edit = (oldText: string, newText: string) => ['edit', { path: 'a.ts', oldText, newText }] as const;

    it('are found through changes of the line and around it', async () => {
      const lines = here()
        .tool('write', { path: 'a.ts', content: 'first\nconst total = 1;\nlast\n' })
        .tool(...edit('first', 'zero\nfirst'))
        .tool(...edit('const total = 1;', 'const total = 1 + 2;'))
        .tool(...edit('last', 'the end'))
        .tool(...edit('const total = 1 + 2;', 'const total = sum(1, 2);'));
      assert.deepEqual(await history(lines, 'zero\nfirst\nconst total = sum(1, 2);\nthe end\n', 3), [
        `${entryId(10)} const total = sum(1, 2);`,
        `${entryId(6)} const total = 1 + 2;`,
        `${entryId(2)} const total = 1;`,
      ]);
      assert.deepEqual(await history(lines, 'zero\nfirst\nconst total = 12;\nthe end\n', 1), [`${entryId(4)} zero`]);
    });

    it('are found through a change by the person', async () => {
      const lines = here().tool('write', { path: 'a.ts', content: 'first\nconst total = 1;\n' });
      assert.deepEqual(await history(lines, 'first\nconst total = 1; // mine\n', 2), [`${entryId(2)} const total = 1;`]);
    });

    it('are not those of another line in its place', async () => {
      const lines = here()
        .tool('write', { path: 'a.ts', content: 'first\nimport { join } from "path";\nlast\n' })
        .tool(...edit('import { join } from "path";', 'const total = 1;'));
      assert.deepEqual(await history(lines, 'first\nconst total = 1;\nlast\n', 2), [`${entryId(4)} const total = 1;`]);
      assert.deepEqual(await history(lines, 'first\nconst total = 1;\nlast\n', 9), []);
    });
  });

  describe('in Git', () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', project.path, '-c', 'user.name=Ann', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T09:00:00Z', GIT_AUTHOR_DATE: '2026-01-02T08:00:00Z' },
      });
    beforeEach(async () => {
      await project.write('a.ts', 'one\ntwo\n');
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'First words');
    });

    it('name the commit of a line, as far as it is committed', async () => {
      const hash = git('rev-parse', 'HEAD').trim();
      const time = Date.parse('2026-01-02T09:00:00Z');
      assert.deepEqual(await lineCommit(file(), 'new\none\r\ntwo', 3), { hash, author: 'Ann', time, summary: 'First words' });
      assert.equal(await lineCommit(file(), 'new\none\ntwo', 1), undefined);
      assert.equal(await lineCommit(join(project.path, 'none.ts'), 'one', 1), undefined);
    });

    it('are none of a file outside of repositories, of one that isn’t text, and of a line that isn’t there', async () => {
      await project.write('binary', 'a\0b');
      git('add', '.');
      git('commit', '-qm', 'Binary');
      assert.equal(await lineCommit(join(project.path, 'binary'), 'a', 1), undefined);
      assert.equal(await lineCommit(file(), 'one\ntwo', 9), undefined);
      assert.equal(await lineCommit(join(project.path, '..', 'outside.ts'), 'one', 1), undefined);
    });

    it('run none of the programs that a repository’s configuration names', async () => {
      const mark = join(project.path, 'ran');
      await project.write('.gitattributes', '* filter=x diff=x\n');
      for (const name of ['filter.x.clean', 'filter.x.smudge', 'diff.x.textconv', 'diff.x.command', 'core.fsmonitor'])
        git('config', name, `touch ${mark};cat`);
      assert.equal((await lineCommit(file(), 'one\ntwo', 2))?.summary, 'First words');
      assert.equal(existsSync(mark), false);
    });
  });
});
