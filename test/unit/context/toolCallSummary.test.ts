import assert from 'node:assert/strict';
import { summarizeToolCall } from '../../../src/context/articles/toolCallSummary';

const BASES = { home: '/home/me', cwd: '/work/demo' };

describe('A tool call in one line', () => {
  const cases: readonly (readonly [name: string, args: unknown, head: string, complete: boolean])[] = [
    ['bash', { command: 'npm test' }, 'npm test', true],
    ['bash', { command: 'npm test', timeout: 5 }, 'npm test', false],
    ['bash', { command: 'a\nb' }, 'a b', false],
    ['read', { path: 'src/a.ts' }, 'src/a.ts', true],
    ['read', { path: 'src/a.ts', offset: 10, limit: 20 }, 'src/a.ts:10-29', true],
    ['read', { path: 'src/a.ts', limit: 20 }, 'src/a.ts:1-20', true],
    ['edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }, 'src/a.ts', false],
    ['grep', { pattern: 'x+', path: 'src' }, '/x+/ in src', true],
    ['find', { pattern: '*.ts' }, '*.ts', true],
    ['search', { topK: 3, query: 'cats' }, 'cats', false],
    ['odd', { count: 3 }, 'count 3', true],
    ['bash', { command: 'cd /work/demo && npm test' }, 'npm test', false],
    ['read', { path: '/work/demo/src/a.ts' }, 'src/a.ts', true],
    ['grep', { pattern: 'x', path: '/work/demo' }, '/x/ in .', true],
    ['browser', { action: 'open', url: 'https://example.org' }, 'open https://example.org', true],
    ['lsp', { action: 'definition', file_path: '/work/demo/a.ts' }, 'definition a.ts', false],
    ['none', {}, '', true],
    ['none', undefined, '', true],
    ['text', 'just text', 'just text', false],
    ['list', [1, 2], '[1,2]', false],
  ];
  for (const [name, args, summary, complete] of cases) {
    it(`${name} as "${summary}"${complete ? '' : ', incomplete'}`, () => {
      const found = summarizeToolCall(name, args, BASES);
      assert.deepEqual([found.summary, found.complete], [summary, complete]);
    });
  }

  it('names its file, with the line', () => {
    const calls = [
      { path: 'src/a.ts' },
      { file_path: 'src/a.ts', offset: 10, limit: 20 },
      { path: 'src/a.ts', limit: 20 },
      { command: 'ls' },
    ];
    assert.deepEqual(
      calls.map((args) => summarizeToolCall('read', args, BASES).path),
      ['src/a.ts', 'src/a.ts:10', 'src/a.ts', undefined],
    );
    assert.equal(summarizeToolCall('grep', { pattern: 'x', path: 'src' }, BASES).path, undefined);
  });

  it('stays short', () => {
    const { summary, complete } = summarizeToolCall('bash', { command: 'x'.repeat(10_000) }, BASES);
    assert.equal(summary.length, 160);
    assert.equal(complete, false);
  });
});
