import assert from 'node:assert/strict';
import { isLookup, LOOKUP_NOTICE } from '../../../src/core/catalog/search/lookups';

describe('A look-up that a session records', () => {
  const call = (name: string, args: unknown, ...others: unknown[]): boolean =>
    isLookup('assistant', {
      text: '',
      value: {
        type: 'message',
        message: { role: 'assistant', content: [...others, { type: 'toolCall', id: 'c', name, arguments: args }] },
      },
    });
  const read = (role: string, text: string): boolean => isLookup(role, { text, value: {} });

  it('is a call of a tool or of the command line', () => {
    assert.ok(call('mcp__session-tree__read_branch', {}));
    assert.ok(call('mcp', { tool: 'session_tree_why_line', args: '{}' }));
    for (const command of [
      "session-tree search 'a b'",
      "cd /work && ~/.local/share/session-tree/vscode/session-tree --settings '/home/j d/s.json' digest pi:1",
      "'/opt/my programs/session-tree' --cache /tmp/c show pi:1 | head",
    ])
      assert.ok(call('bash', { command }), command);
  });

  it('is nothing else that has its words', () => {
    for (const command of [
      "git -C ~/session-tree log --grep 'so why not'",
      'cd session-tree; npm test search ',
      'session-tree restore pi:1 search ',
      'cat session-tree.md why ',
    ])
      assert.ok(!call('bash', { command }), command);
    assert.ok(!call('task', { prompt: 'In session-tree search for the reason why the list is stale' }));
    assert.ok(!call('write', { path: 'a.md', content: 'session-tree search finds' }));
    assert.ok(!call('mcp__session-tree__read_branch', {}, { type: 'text', text: 'I look there.' }));
    assert.ok(!isLookup('user', { text: LOOKUP_NOTICE, value: {} }));
  });

  it('is an answer of a tool, or hits of the command line, but not what a person ran', () => {
    const hits = 'active  pi:01a1fa45-0000-7000-8000-000000000001#e0000001  user · 2026';
    assert.ok(read('toolResult', `1 hit\nText ${LOOKUP_NOTICE}\n`) && read('toolResult', hits));
    assert.ok(read('toolResult', 'left  /work/a.jsonl#e1  user'));
    assert.ok(!read('bashExecution', `session-tree search x\n${hits}`) && !read('bashExecution', `grep\n${LOOKUP_NOTICE}`));
    assert.ok(!read('toolResult', `${'A report of what was found. '.repeat(100)}${LOOKUP_NOTICE}`));
    assert.ok(!read('toolResult', `The report: ${hits}`));
  });
});
