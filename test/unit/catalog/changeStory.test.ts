import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { changeStory, draftStory, type ChangeStory } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { gitRepository } from '../../fixtures/gitRepository';

const numbered = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = compute('${name}', ${at});\n`).join('');

const brief = ({ sessions }: ChangeStory): string[] =>
  sessions.map(({ path, entryIds }) => `${basename(path, '.jsonl')}: ${entryIds.join(', ')}`);

describe('the story of a change', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  const inProject = (fields: object = {}): SessionBuilder => session({ cwd: project.path, ...fields });
  beforeEach(async () => {
    repository.git('09:00:00', 'init', '-q');
    await project.write('old.ts', numbered('old', 5));
    repository.commit('09:00:00');
  });

  it('tells what was asked, changed, left and checked, and what no session explains', async () => {
    const lines = inProject()
      .user('Add größe')
      .tool('write', { path: 'a.ts', content: numbered('a', 4) });
    const fork = lines.last;
    lines.user('Try it with a cache').tool('write', { path: 'b.ts', content: numbered('cache', 3) });
    lines
      .branchFrom(fork)
      .user('Now the tests')
      .tool('bash', { command: 'npm test' }, '1 failing', { message: { isError: true } });
    lines.tool('write', { path: 'a.ts', content: numbered('a', 6) }).tool('bash', { command: `cd ${project.path} && npm test` }, 'ok');
    lines.tool('bash', { command: 'cat test.txt' });
    await project.write('a.ts', numbered('a', 6) + '// mine\n');
    await project.write('old.ts', numbered('old', 4));
    const catalog = await store.open({ a: lines });
    const story = await changeStory(catalog, { repository: project.path });
    assert.equal(
      story.markdown,
      [
        '1 session wrote 6 of 7 added or changed lines in 2 files. No session explains 1 line: they are a person’s, or a command’s. ' +
          'New files that no session wrote aren’t counted.',
        '',
        '- **Add größe**: Add größe',
        '',
        '## What was asked',
        '',
        '**Add größe**',
        '',
        '1. Add größe',
        '2. Now the tests',
        '',
        '## What changed',
        '',
        '- `a.ts`: 4 lines for prompt 1, 2 lines for prompt 2, 1 line no session explains',
        '- `old.ts`: lines removed',
        '',
        '## Tried and left',
        '',
        '- Try it with a cache (left)',
        '',
        '## Checks',
        '',
        '- `npm test`: passed',
        '',
        '## Models and cost',
        '',
        '- `anthropic/claude-x`',
        '- $0.19 for the turns that wrote these lines',
        '',
      ].join('\n'),
    );
    assert.deepEqual(brief(story), ['a: e0000002, e000000a']);
    assert.deepEqual(story.redacted, []);
    const { markdown } = await changeStory(catalog, { repository: project.path, cost: false });
    assert.equal(markdown, story.markdown.slice(0, story.markdown.indexOf('\n## Models and cost')));
  });

  it('counts commits from the merge base with the remote’s default branch, or between two', async () => {
    const catalog = await store.open({
      a: inProject()
        .user('go')
        .tool('write', { path: 'a.ts', content: numbered('a', 4) }),
      b: inProject({ id: 'b' })
        .user('go')
        .user('on')
        .user('on')
        .tool('write', { path: 'b.ts', content: numbered('b', 4) }),
    });
    await project.write('a.ts', numbered('a', 4));
    repository.commit('10:01:00');
    repository.git('10:01:00', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    await project.write('b.ts', numbered('b', 4));
    repository.commit('10:02:00');
    assert.deepEqual(brief(await changeStory(catalog, { repository: project.path })), ['b: e0000004']);
    assert.deepEqual(brief(await changeStory(catalog, { repository: project.path, from: 'HEAD~2', to: 'HEAD~1' })), ['a: e0000002']);
    rmSync(`${project.path}/a.ts`);
    const { markdown, sessions } = await changeStory(catalog, { repository: project.path, from: 'HEAD' });
    assert.deepEqual(sessions, []);
    assert.ok(markdown.includes('- `a.ts`: deleted\n'), markdown);
  });

  it('replaces secrets unless told otherwise, and nothing of a session mentions, refers or links', async () => {
    const value = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
    const secret = ['ghp', value].join('_');
    const prompt = `Ask @octocat about #12, GH-3 and https://example.com/x with ${secret} <img src=x> [a](b) 0123abcdef \`x`;
    await project.write('a.ts', numbered('a', 4));
    const lines = inProject()
      .user(prompt)
      .tool('write', { path: 'a.ts', content: numbered('a', 4) });
    const catalog = await store.open({ a: lines.tool('bash', { command: 'npm test -- @octocat #5 `x`' }) });
    const { markdown, redacted } = await changeStory(catalog, { repository: project.path });
    assert.ok(!markdown.includes(value), markdown);
    assert.ok(
      redacted.some(({ rule }) => rule.includes('github')),
      JSON.stringify(redacted),
    );
    const withoutCode = markdown.replace(/(`+)[^`].*?\1/g, '');
    assert.doesNotMatch(withoutCode, /@octocat|#12|GH-3|https:|0123abcdef|<img|[^\\]\[a/);
    assert.ok((await changeStory(catalog, { repository: project.path, redact: false })).markdown.includes(value));
  });

  it('lists what is found in it, and is told as a person decides, with all replaced that they haven’t seen', async () => {
    const token = TOKENS['ghp']!();
    const uncertain = ['qL8vT2xZ', 'p0RkY7mW', 'c4NsB9dH'].join('');
    const beyond = ['zR5wK1nQ', 'h8JdV3tX', 'e6MbF2yL'].join('');
    const lines = inProject()
      .user(`use ${token} and ${uncertain}`)
      .tool('write', { path: 'a.ts', content: numbered('a', 4) })
      .tool('bash', { command: 'npm test' }, `found ${TOKENS['npm_']?.() ?? ''} jane@corp.example.io`)
      // Beyond what is told of a prompt while the first one has its placeholder.
      .user(`${'word '.repeat(80)}${beyond}`)
      .tool('write', { path: 'a.ts', content: numbered('a', 6) });
    await project.write('a.ts', numbered('a', 6));
    const draft = await draftStory(await store.open({ a: lines }), { repository: project.path });
    try {
      const { findings, redacted } = await draft.tell();
      const brief = (of: typeof findings): string[] =>
        of
          .filter(({ rule }) => rule !== 'home')
          .map(({ rule, entryId, uncertain }) => `${rule} ${entryId ?? 'title'} ${String(uncertain)}`);
      assert.deepEqual(brief(findings), [
        'github-token e0000001 undefined',
        'long-random-text e0000001 true',
        'long-random-text e0000006 true',
        'github-token title undefined',
        'long-random-text title true',
      ]);
      assert.deepEqual(brief(redacted), ['github-token e0000001 undefined', 'github-token title undefined']);
      const { key, path, entryId = '' } = findings.find((one) => one.entryId !== undefined && one.uncertain) ?? assert.fail();
      const { markdown } = await draft.tell({ keep: [key], also: true });
      assert.ok(markdown.includes(uncertain) && !markdown.includes(token.slice(4)) && !markdown.includes(beyond), markdown);
      const without = (await draft.tell({ also: true, leaveOut: [{ path, entryId }] })).markdown;
      assert.ok(!without.includes('use '), without);
      assert.match(without, /`a\.ts`: 4 lines, 2 lines for prompt 1/);
    } finally {
      draft.end();
    }
  });

  it('tells no part of a secret that a title would cut', async () => {
    const token = TOKENS['ghp']!();
    // Programs' rows keep the beginning of a prompt, and the marks of Markdown make room for more of it.
    for (const count of [30, 31, 32]) {
      const lines = inProject()
        .user(`${'**x** '.repeat(count)}${token}`)
        .tool('write', { path: 'a.ts', content: numbered('a', 4) });
      await project.write('a.ts', numbered('a', 4));
      const { markdown } = await changeStory(await store.open({ a: lines }), { repository: project.path });
      assert.ok(!markdown.includes(token.slice(4, 7)), markdown);
    }
  });

  it('stays below 60 KB and says what it leaves out', async () => {
    const lines = inProject();
    let content = '';
    for (let at = 0; at < 200; at++) {
      content += `export const n${at} = 'unique line number ${at}';\n`;
      lines.user(`${'語'.repeat(290)} ${at}`).tool('write', { path: 'a.ts', content });
    }
    await project.write('a.ts', content);
    const { markdown } = await changeStory(await store.open({ a: lines }), { repository: project.path });
    assert.ok(Buffer.byteLength(markdown) < 60_000, String(Buffer.byteLength(markdown)));
    assert.match(markdown, /- … and \d+ more lines\n/);
  });

  it('refuses a folder outside of repositories, and a name of no commit', async () => {
    const catalog = await store.open({});
    await assert.rejects(changeStory(catalog, { repository: store.root }), { code: 'not-found' });
    await assert.rejects(changeStory(catalog, { repository: project.path, from: '--output=x' }), { code: 'not-found' });
    await assert.rejects(changeStory(catalog, { repository: project.path, signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  });

  it('works in a repository without a commit', async () => {
    rmSync(`${project.path}/.git`, { recursive: true });
    repository.git('09:00:00', 'init', '-q');
    await project.write('a.ts', numbered('a', 4));
    const catalog = await store.open({
      a: inProject()
        .user('go')
        .tool('write', { path: 'a.ts', content: numbered('a', 4) }),
    });
    assert.deepEqual(brief(await changeStory(catalog, { repository: project.path })), ['a: e0000002']);
  });
});
