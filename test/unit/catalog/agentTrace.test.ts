import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addNote,
  notedCommits,
  traceCommits,
  traceFiles,
  type TracedEntry,
  type TraceFile,
  type TraceRecord,
} from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { schemaProblems } from '../../fixtures/agentTraceSchema';
import { traceProblems } from '../../fixtures/agentTraceRules';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

const tool = { name: 'pi-session-tree', version: '1.2.3' };
const link = ({ program, sessionId, entryId: entry }: TracedEntry): string => `x:${[program, sessionId, entry].join('/')}`;
const by = { tool, link };
const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Describes the ranges of a file by model and lines; `~` marks those of a contributor of their own. */
const brief = ({ path, conversations }: TraceFile): string =>
  `${path}: ${conversations
    .map(
      ({ contributor, ranges }) =>
        `${contributor.type} ${contributor.model_id ?? '-'} ${ranges.map((one) => `${one.start_line}-${one.end_line}${one.contributor ? `~${one.contributor.type}` : ''}`).join(' ')}`,
    )
    .join('; ')}`;

describe('Agent Trace', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  const here = (header: object = {}): SessionBuilder => session({ cwd: project.path, ...header }).user('write it');
  const file = (name = 'a.ts'): string => join(project.path, name);
  const valid = (records: readonly TraceRecord[]): readonly TraceRecord[] => {
    assert.deepEqual(records.flatMap(traceProblems), []);
    assert.deepEqual(records.flatMap(schemaProblems), []);
    return records;
  };

  describe('of files', () => {
    it('names the session, the model, the prompt and the lines with their hash', async () => {
      await project.write('a.ts', 'const one = 1;\nconst person = 0;\nconst two = 2;\n');
      const catalog = await store.open({
        a: here({ id: 'one' }).tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' }),
      });
      const [record, ...rest] = valid(await traceFiles(catalog, [file()], by));
      assert.deepEqual(rest, []);
      assert.equal(record?.version, '0.1.0');
      assert.equal(record.vcs, undefined);
      assert.deepEqual(record.tool, tool);
      assert.deepEqual(record.files, [
        {
          path: 'a.ts',
          conversations: [
            {
              url: 'x:pi/one/',
              contributor: { type: 'ai', model_id: 'anthropic/claude-x' },
              ranges: [
                { start_line: 1, end_line: 1, content_hash: hash('const one = 1;') },
                { start_line: 3, end_line: 3, content_hash: hash('const two = 2;') },
              ],
              related: [{ type: 'prompt', url: `x:pi/one/${entryId(1)}` }],
            },
          ],
        },
      ]);
    });

    it('has no path of this computer, and no address of a session without an id', async () => {
      await project.write('a.ts', 'const one = 1;\n');
      const catalog = await store.open({ a: here({ id: '' }).tool('write', { path: 'a.ts', content: 'const one = 1;\n' }) });
      const [record] = valid(await traceFiles(catalog, [file()], by));
      const [conversation] = record!.files[0]!.conversations;
      assert.deepEqual([conversation?.url, conversation?.related], [undefined, undefined]);
      assert.ok(!JSON.stringify(record).includes(project.path) && !JSON.stringify(record).includes(store.root));
    });

    it('has no secret that stands in an id of a session or the name of a model', async () => {
      const token = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'].join('_');
      await project.write('a.ts', 'const one = 1;\n');
      const written = here({ id: token }).assistant(
        [{ type: 'toolCall', id: 'x', name: 'write', arguments: { path: 'a.ts', content: 'const one = 1;\n' } }],
        { message: { provider: 'local', model: 'claude-x?password=sail9Boat7' } },
      );
      written.message({ role: 'toolResult', toolCallId: 'x', toolName: 'write', content: [], isError: false });
      const catalog = await store.open({ a: written });
      const [record] = valid(await traceFiles(catalog, [file()], by));
      const [conversation] = record!.files[0]!.conversations;
      assert.equal(conversation?.url, 'x:pi/[redacted:github-token-1]/');
      assert.equal(conversation.contributor.model_id, 'local/claude-x?password=[redacted:password-1]');
      assert.doesNotMatch(JSON.stringify(record), /aB3dE6|sail9Boat7/);
    });

    it('marks lines that were indented again as mixed, and separates models', async () => {
      await project.write('a.ts', 'const one = 1;\n    const two = 2;\nconst three = 3;\n');
      const written = here().tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' });
      written.assistant(
        [
          {
            type: 'toolCall',
            id: 'x',
            name: 'edit',
            arguments: { path: 'a.ts', oldText: 'two = 2;\n', newText: 'two = 2;\nconst three = 3;\n' },
          },
        ],
        { message: { provider: 'openai', model: 'asked', responseModel: 'gpt-y' } },
      );
      written.message({ role: 'toolResult', toolCallId: 'x', toolName: 'edit', content: [], isError: false });
      const catalog = await store.open({ a: written });
      const [record] = valid(await traceFiles(catalog, [file()], by));
      assert.deepEqual(record?.files.map(brief), ['a.ts: ai anthropic/claude-x 1-1 2-2~mixed; ai openai/gpt-y 3-3']);
    });

    it('names the revision only of files that are as in the last commit, which its lines are counted in', async () => {
      repository.git('09:00:00', 'init', '-q');
      mkdirSync(file('src'));
      for (const name of ['same.ts', 'src/other.ts', 'mine.ts']) await project.write(name, `const of_${name.length} = 1;\n`);
      const head = repository.commit('11:00:00');
      await project.write('src/other.ts', '// new\nconst of_12 = 1;\n');
      await project.write('same.ts', 'const of_7 = 1;\r\n');
      const written = here();
      for (const name of ['same.ts', 'src/other.ts']) written.tool('write', { path: name, content: `const of_${name.length} = 1;\n` });
      const catalog = await store.open({ a: written });
      const files = ['same.ts', 'src/other.ts', 'mine.ts'].map(file);
      const records = valid(await traceFiles(catalog, files, by));
      assert.deepEqual(
        records.map(({ vcs, files: found }) => [vcs, found.map(brief)]),
        [
          [{ type: 'git', revision: head }, ['same.ts: ai anthropic/claude-x 1-1']],
          [undefined, ['src/other.ts: ai anthropic/claude-x 2-2']],
        ],
      );
      const [first] = await traceFiles(catalog, files, { ...by, git: false });
      assert.equal(first?.vcs, undefined);
    });

    it('refuses a file that doesn’t exist', async () => {
      const catalog = await store.open();
      await assert.rejects(traceFiles(catalog, [file('none.ts')], by), { code: 'not-found' });
    });

    it('ends with its signal, and counts files', async () => {
      await project.write('a.ts', 'const one = 1;\n');
      const catalog = await store.open();
      await assert.rejects(traceFiles(catalog, [file()], { ...by, signal: AbortSignal.abort() }), { name: 'AbortError' });
      const seen: [number, number][] = [];
      await traceFiles(catalog, [file()], { ...by, onProgress: (done, total) => seen.push([done, total]) });
      assert.deepEqual(seen, [[1, 1]]);
    });
  });

  describe('as notes', () => {
    beforeEach(() => {
      repository.git('09:00:00', 'init', '-q');
      for (const [name, value] of Object.entries({ 'user.name': 'a', 'user.email': 'a@b' }))
        repository.git('09:00:00', 'config', name, value);
    });
    const noteOf = (commit: string): string => repository.git('09:00:00', 'notes', '--ref=agent-trace', 'show', commit);

    it('is added beside a commit, which stays as it is', async () => {
      const [first, second] = [repository.commit('09:00:00'), repository.commit('10:00:00')];
      assert.deepEqual(await notedCommits(project.path), new Set());
      await addNote(project.path, first, '{"a": "ü"}');
      assert.equal(noteOf(first), '{"a": "ü"}\n');
      assert.deepEqual(await notedCommits(project.path), new Set([first]));
      assert.equal(repository.git('09:00:00', 'rev-parse', 'HEAD').trim(), second);
    });

    it('replaces no note unless asked to', async () => {
      const commit = repository.commit('09:00:00');
      await addNote(project.path, commit, 'one');
      await assert.rejects(addNote(project.path, commit, 'two'), { code: 'invalid' });
      assert.equal(noteOf(commit), 'one\n');
      await addNote(project.path, commit, 'two', { overwrite: true });
      assert.equal(noteOf(commit), 'two\n');
    });

    it('is added to hashes alone, and runs no hook', async () => {
      const commit = repository.commit('09:00:00');
      await project.write('.git/hooks/reference-transaction', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n');
      await chmod(file('.git/hooks/reference-transaction'), 0o755);
      for (const name of ['HEAD', '--force', commit.slice(0, 10), ''])
        await assert.rejects(addNote(project.path, name, 'x'), { code: 'invalid' });
      await addNote(project.path, commit, 'x');
      assert.equal(existsSync(file('.git/hooks/ran')), false);
    });

    it('is refused outside of repositories', async () => {
      await rm(file('.git'), { recursive: true });
      await assert.rejects(notedCommits(project.path), { code: 'invalid' });
    });
  });

  describe('of commits', () => {
    const range = (from: string, to = 'HEAD'): { repository: string; from: string; to: string } => ({ repository: project.path, from, to });

    it('has what each one added, as it was then', async () => {
      repository.git('09:00:00', 'init', '-q');
      await project.write('a.ts', 'const person = 0;\n');
      const start = repository.commit('09:00:00', 'person');
      await project.write('a.ts', 'const person = 0;\nconst one = 1;\n');
      const first = repository.commit('10:00:03', 'one: agent');
      await project.write('a.ts', 'const person = 0;\nconst mine = 7;\nconst one = 1;\nconst two = 2;\n');
      const second = repository.commit('10:30:00', 'two');
      await project.write('b.ts', 'const other = 0;\n');
      repository.commit('11:00:00', 'person again');
      // Later edits don't change what the commits had.
      await rm(file());
      const written = here()
        .tool('edit', { path: 'a.ts', oldText: 'person = 0;\n', newText: 'person = 0;\nconst one = 1;\n' })
        .tool('edit', { path: 'a.ts', oldText: 'one = 1;\n', newText: 'one = 1;\nconst two = 2;\n' })
        .tool('write', { path: 'a.ts', content: 'const gone = 1;\n' }, 'done', { message: { timestamp: Date.parse('2026-01-03') } });
      const catalog = await store.open({ a: written });
      const seen: number[] = [];
      const traced = await traceCommits(catalog, range(start), { ...by, onProgress: (done) => seen.push(done) });
      valid(traced.map(({ record }) => record));
      assert.deepEqual(
        traced.map(({ hash: commit, subject, record }) => [commit, subject, record.vcs?.revision, record.files.map(brief)]),
        [
          [first, 'one: agent', first, ['a.ts: ai anthropic/claude-x 2-2']],
          [second, 'two', second, ['a.ts: ai anthropic/claude-x 4-4']],
        ],
      );
      assert.deepEqual(seen, [1, 2, 3]);
    });

    it('follows files that were renamed since', async () => {
      repository.git('09:00:00', 'init', '-q');
      repository.commit('09:00:00');
      const begin = 'const one = 1;\nconst zero = 0;\nconst minus = -1;\nconst two = 2;\n';
      await project.write('old name.ts', begin);
      repository.commit('11:00:00');
      repository.git('11:10:00', 'mv', 'old name.ts', 'b.ts');
      await project.write('b.ts', `${begin}const person = 3;\nconst four = 4;\n`);
      repository.commit('11:10:00');
      const timestamp = '2026-01-02T11:05:00.000Z';
      const catalog = await store.open({
        a: here()
          .tool('write', { path: 'old name.ts', content: begin })
          .tool('edit', { path: 'b.ts', oldText: 'two = 2;\n', newText: 'two = 2;\nconst four = 4;\n' }, 'done', { timestamp }),
      });
      const traced = await traceCommits(catalog, range(''), by);
      assert.deepEqual(
        traced.map(({ record }) => record.files.map(brief)),
        [['old name.ts: ai anthropic/claude-x 1-4'], ['b.ts: ai anthropic/claude-x 6-6']],
      );
    });

    it('refuses names that are no commits, options among them', async () => {
      repository.git('09:00:00', 'init', '-q');
      repository.commit('09:00:00');
      const catalog = await store.open();
      for (const name of ['none', '--all', '--output=x', 'HEAD\n--all', '-', 'HEAD:a', 'x'.repeat(5000)])
        await assert.rejects(traceCommits(catalog, range(name), by), { code: 'not-found' }, name);
      const aborted = { ...by, signal: AbortSignal.abort(new Error('not now')) };
      await assert.rejects(traceCommits(catalog, range('HEAD'), aborted), /not now/);
      assert.deepEqual(await traceCommits(catalog, range('HEAD'), by), []);
      await assert.rejects(traceCommits(catalog, range('', ''), by), { code: 'not-found' });
    });

    it('refuses a folder outside of repositories', async () => {
      const catalog = await store.open();
      await assert.rejects(traceCommits(catalog, range('HEAD'), by), { code: 'not-found' });
    });
  });
});
