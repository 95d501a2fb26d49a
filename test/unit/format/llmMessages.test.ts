import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/format/entry/message';
import { executionText, toLlmMessages, toLlmText } from '../../../src/core/format/context/llmMessages';

describe('Messages for the model', () => {
  it('omit excluded messages', () => {
    const messages: Message[] = [
      { role: 'bashExecution', command: 'ls', excludeFromContext: true },
      { role: 'other' },
      { role: 'user', content: 'a' },
    ];
    assert.deepEqual(toLlmMessages(messages), [messages[2]]);
  });

  it('describe the outcome of a command', () => {
    const run = { role: 'bashExecution', command: 'ls', output: 'a' } as const;
    assert.equal(executionText({ ...run, output: '' }), 'Ran `ls`\n(no output)');
    assert.equal(executionText({ ...run, exitCode: 0 }), 'Ran `ls`\n```\na\n```');
    assert.equal(
      executionText({ ...run, exitCode: 1, truncated: true, fullOutputPath: '/tmp/o' }),
      'Ran `ls`\n```\na\n```\n\nCommand exited with code 1\n\n[Output truncated. Full output: /tmp/o]',
    );
    assert.match(executionText({ ...run, exitCode: 1, cancelled: true }), /```\n\n\(command cancelled\)$/);
  });

  it('are written as text under their roles', () => {
    const messages: Message[] = [
      { role: 'compactionSummary', summary: 'short', tokensBefore: 1 },
      { role: 'branchSummary', summary: 'side', fromId: 'x' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'x' } },
        ],
      },
      { role: 'toolResult', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
    ];
    assert.equal(
      toLlmText(messages),
      [
        '[user]\nThe conversation history before this point was compacted into the following summary:\n\n<summary>\nshort\n</summary>\n',
        '[user]\nThe following is a summary of a branch that this conversation came back from:\n\n<summary>\nside</summary>\n',
        '[assistant]\nhi\n[call read] {"path":"x"}\n',
        '[toolResult]\n[image image/png]\n',
      ].join('\n'),
    );
  });
});
