import assert from 'node:assert/strict';
import type { Message } from '../../src/core/format/entry/message';
import { totalChars, messageShares } from '../../src/core/format/context/contextUsage';
import { loadPi, type Pi } from './pi';

const text = 'Some words — and “more”, with line\nbreaks.';
const MESSAGES: readonly object[] = [
  { role: 'user', content: text },
  {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: text },
      { type: 'text', text },
      { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'a', edits: [1, { x: '"' }] } },
    ],
  },
  {
    role: 'toolResult',
    toolCallId: 'c',
    toolName: 'edit',
    content: [
      { type: 'text', text },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ],
  },
  { role: 'bashExecution', command: 'ls', output: text },
  { role: 'custom', customType: 't', content: text },
  { role: 'branchSummary', summary: text },
  { role: 'compactionSummary', summary: text },
  { role: 'system', content: text, sections: { one: text }, toolsAdded: [{ name: 'read', description: text }] },
];

describe('pi’s estimate of a message’s tokens', () => {
  let pi: Pi;
  before(async function () {
    this.timeout(60_000);
    pi = await loadPi();
  });

  for (const message of MESSAGES) {
    it(`is ours: ${(message as { role: string }).role}`, () => {
      assert.equal(Math.ceil(totalChars(messageShares(message as Message)) / 4), pi.estimateTokens(message));
    });
  }
});
