import assert from 'node:assert/strict';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/entry/rowText';
import { session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const BASES = { home: '/home/me', cwd: '/work/demo' };

describe('The text of a row', () => {
  it('describes a tool call as pi does', () => {
    for (const [name, args, row] of [
      ['read', { path: '/home/me/a', offset: 10, limit: 20 }, '[read: ~/a:10-29]'],
      ['read', { file_path: 'b', offset: 3 }, '[read: b:3]'],
      ['read', { path: 'b', limit: 5 }, '[read: b:1-5]'],
      ['write', { path: '/x' }, '[write: /x]'],
      ['edit', {}, '[edit: ]'],
      ['bash', { command: 'a\n\tb' }, '[bash: a  b]'],
      ['bash', { command: 'x'.repeat(51) }, `[bash: ${'x'.repeat(50)}...]`],
      ['grep', { pattern: 'p' }, '[grep: /p/ in .]'],
      ['find', { pattern: '*', path: '/home/me' }, '[find: * in ~]'],
      ['ls', undefined, '[ls: .]'],
      ['read', { path: { odd: 1 } }, '[read: {"odd":1}]'],
    ] as const) {
      assert.equal(describeToolCall(name, args, BASES), row);
    }
  });

  it('describes a tool call in words, where pi hides what matters', () => {
    const deep = '/work/demo/packages/a-rather-long-package-name/src/components/dialogs/settings/SettingsDialog.tsx';
    for (const [name, args, row] of [
      ['read', { path: '/work/demo/src/a.ts', limit: 5 }, '[read: src/a.ts:1-5]'],
      ['edit', { path: '/work/demonstration/a.ts' }, '[edit: /work/demonstration/a.ts]'],
      ['ls', { path: '/work/demo' }, '[ls: .]'],
      ['read', { path: '/home/meg/a.ts' }, '[read: /home/meg/a.ts]'],
      ['read', { path: deep, offset: 7 }, '[read: …/src/components/dialogs/settings/SettingsDialog.tsx:7]'],
      ['write', { path: `/tmp/${'f'.repeat(80)}.md` }, `[write: …/${'f'.repeat(80)}.md]`],
      ['bash', { command: 'cd /work/demo && npm test' }, '[bash: npm test]'],
      ['bash', { command: `cd "/a b" && cd 'c d'/e\\ f && ${'x'.repeat(51)}` }, `[bash: ${'x'.repeat(50)}...]`],
      ['bash', { command: 'cd /work/demo' }, '[bash: cd /work/demo]'],
      ['bash', { command: 'cd a || b && c' }, '[bash: cd a || b && c]'],
      ['exec', { command: 'cd /work/demo && npm test', yieldMs: 1000 }, '[exec: npm test]'],
      ['shell', { command: ['bash', '-lc', 'cd /work && ls -l'] }, '[shell: ls -l]'],
      ['browser', { action: 'open', profile: 'x', url: 'https://example.org/a' }, '[browser: open https://example.org/a]'],
      ['browser', { action: 'act', request: { kind: 'click', ref: 'e12' } }, '[browser: act click ref e12]'],
      ['browser', { action: 'act', kind: 'type', ref: 'e3', text: 'hello' }, '[browser: act type hello]'],
      ['process', { action: 'poll', sessionId: 'calm-reef' }, '[process: poll calm-reef]'],
      ['process', { action: 'list' }, '[process: list]'],
      ['find', { paths: ['/work/demo/src', 'b'] }, '[find: src and 1 more]'],
      ['task', { description: 'Find callers', prompt: 'Find all callers of it' }, '[task: Find callers]'],
      [
        'task',
        { agent: 'explore', tasks: [{ id: 'A', description: 'Find callers' }, { id: 'B' }] },
        '[task: explore Find callers and 1 more]',
      ],
      ['todo_write', { ops: [{ op: 'start', task: 'Fix it' }] }, '[todo_write: start Fix it]'],
      [
        'todo',
        {
          todos: [
            { content: 'Read', status: 'completed' },
            { content: 'Fix', status: 'in_progress' },
          ],
        },
        '[todo: Fix and 1 more]',
      ],
      ['mcp', { tool: 'github_search', args: '{"query":"is:open","limit":3}' }, '[mcp: github_search is:open]'],
      ['mcp', { search: 'issues' }, '[mcp: search issues]'],
      ['mcp__github__get_issue', { owner: 'a', issue_number: 7 }, '[mcp__github__get_issue: owner a]'],
      ['other', { a: 1 }, '[other: a 1]'],
      ['other', { deep: [[[[['x']]]]] }, '[other]'],
      ['other', { text: 'y'.repeat(101) }, `[other: ${'y'.repeat(100)}...]`],
      ['other', undefined, '[other]'],
      ['other', {}, '[other]'],
      ['other', [1, 2], '[other: [1,2]]'],
    ] as const) {
      assert.equal(describeToolCall(name, args, BASES), row);
    }
  });

  it('describes a result by its call, which came before', () => {
    assert.deepEqual(
      read(session().tool('read', { path: '/home/me/x' }).tool('read', { path: '/work/demo/y' })).entries.map(({ text }) => text),
      ['assistant: (no content)', '[read: ~/x]', 'assistant: (no content)', '[read: y]'],
    );
  });

  it('has the role and the text of a message, in one line of at most 200 characters', () => {
    assert.equal(describeMessage({ role: 'user', content: ` a\n\tb ${'c'.repeat(300)}` }, undefined).length, 'user: '.length + 199);
    assert.equal(
      describeMessage({ role: 'assistant', content: [], errorMessage: 'e'.repeat(100) }, undefined),
      `assistant: ${'e'.repeat(79)}…`,
    );
    const limit = 'This request would exceed the rate limit of your organization of 400,000 input tokens per minute.';
    assert.equal(
      describeMessage(
        { role: 'assistant', content: [], errorMessage: `429 {"type":"error","error":{"type":"rate_limit_error","message":"${limit}"}}` },
        undefined,
      ),
      `assistant: ${`429 ${limit}`.slice(0, 79)}…`,
    );
    assert.equal(describeMessage({ role: 'pythonExecution', code: 'x = 1' }, undefined), '[python]: x = 1');
    assert.equal(describeMessage({ role: 'z'.repeat(1_000) }, undefined).length, 42);
  });

  it('names any other entry', () => {
    assert.equal(describeEntry({ type: 'never seen' }), '[never seen]');
    assert.equal(describeEntry({ type: 'constructor' }), '[constructor]');
    assert.equal(describeEntry({ type: 'compaction', tokensBefore: 12_600 }), '[compaction: 13k tokens]');
    assert.equal(describeEntry({ type: 'model_change', model: 'a/b' }), '[model: a/b]');
    assert.equal(describeEntry({ type: 'ttsr_injection', injectedRules: ['r', 's'] }), '[rules: r, s]');
  });

  it('stays small for lines of any size', () => {
    const huge = 'x'.repeat(1_000_000);
    const found = read(
      session()
        .user(huge)
        .tool(huge, { [huge]: huge })
        .customMessage(huge, huge)
        .branchSummary(huge)
        .entry('ttsr_injection', { injectedRules: [huge] })
        .name(huge),
    );
    for (const head of found.entries) assert.ok(head.text.length < 1_000, head.type);
  });
});
