import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/format/entry/message';
import { totalChars, contextUsage, messageShares, type MessageShare } from '../../../src/core/format/context/contextUsage';

const portions = (message: object): string =>
  messageShares(message as Message)
    .map(({ kind, tool, chars }) => `${kind}${tool === undefined ? '' : `(${tool})`} ${chars}`)
    .join(', ');
const text = (length: number): object => ({ type: 'text', text: 'x'.repeat(length) });
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };

describe('messageShares', () => {
  it('counts characters, 4,800 for an image', () => {
    assert.equal(portions({ role: 'user', content: 'hello' }), 'user 5');
    assert.equal(portions({ role: 'user', content: [text(10), image, text(2)] }), 'user 12, image 4800');
    assert.equal(portions({ role: 'toolResult', toolName: 'read', content: [text(7), image] }), 'result(read) 7, image 4800');
    assert.equal(portions({ role: 'toolResult', content: [] }), 'result() 0');
    assert.equal(portions({ role: 'custom', customType: 't', content: 'abc' }), 'custom 3');
    assert.equal(portions({ role: 'fileMention', content: 'ab' }), 'custom 2');
  });

  it('counts the tokens of an image by the given function', () => {
    const message = { role: 'user', content: [text(8), image] } as unknown as Message;
    assert.deepEqual(
      messageShares(message, ({ mimeType }) => (mimeType === 'image/png' ? 54 : 0)),
      [
        { kind: 'user', chars: 8 },
        { kind: 'image', chars: 216 },
      ],
    );
  });

  it('splits an answer into text, thinking and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'hmm' },
      text(8),
      { type: 'toolCall', id: 'i', name: 'bash', arguments: { command: 'ls' } },
      text(1),
      { type: 'odd' },
      null,
    ];
    // {"command":"ls"} has 16 characters.
    assert.equal(portions({ role: 'assistant', content }), 'thinking 3, assistant 8, call 20, assistant 1');
    assert.equal(portions({ role: 'assistant', content: 'plain' }), 'assistant 5');
    assert.equal(portions({ role: 'assistant', content: null }), '');
  });

  it('counts a command with its output, unless it is excluded from the context', () => {
    assert.equal(portions({ role: 'bashExecution', command: 'ls', output: 'a b' }), 'command 5');
    assert.equal(portions({ role: 'pythonExecution', code: '1+1', output: '2' }), 'command 4');
    assert.equal(portions({ role: 'bashExecution', command: 'ls', output: 'a b', excludeFromContext: true }), '');
  });

  it('counts summaries, and the text, sections and tools of system messages', () => {
    assert.equal(portions({ role: 'compactionSummary', summary: 'past' }), 'summary 4');
    assert.equal(portions({ role: 'branchSummary', summary: 'other' }), 'summary 5');
    // [{"name":"x"}] has 14 characters.
    const system = { role: 'system', content: 'be', sections: { a: 'good', b: null }, toolsAdded: [{ name: 'x' }] };
    assert.equal(portions(system), 'system 6, tools 14');
    assert.equal(portions({ role: 'system', content: 'be', sections: [], toolsAdded: [] }), 'system 2');
    assert.equal(portions({ role: 'developer', content: 'be' }), 'system 2');
  });
});

describe('contextUsage', () => {
  const messages = (...chars: [MessageShare['kind'], number, string?][]): MessageShare[][] =>
    chars.map(([kind, count, tool]) => [{ kind, chars: count, ...(tool === undefined ? {} : { tool }) }]);
  const shown = (...given: Parameters<typeof contextUsage>): string => {
    const { total, isRecorded, parts } = contextUsage(...given);
    return `${total}${isRecorded ? '' : '~'}: ${parts.map(({ kind, tool, tokens }) => `${kind}${tool === undefined ? '' : `(${tool})`} ${tokens}`).join(', ')}`;
  };

  it('estimates four characters per token where nothing was recorded', () => {
    assert.equal(
      shown(messages(['user', 400], ['result', 40, 'ls'], ['result', 800, 'read'], ['user', 40])),
      '320~: user 110, result(read) 200, result(ls) 10',
    );
    assert.equal(shown([]), '0~: ');
  });

  it('uses the tokens of the last answer, and the prompt from the first one', () => {
    // The first answer read 1,100 tokens, 100 of them for the message before it. The last record is 3,000 tokens, so the
    // messages' 4,000 characters, estimated as 1,000 tokens, were 2,000 tokens.
    const found = contextUsage(messages(['user', 400], ['assistant', 3600]), { index: 1, tokens: 3000 }, { tokens: 1100, chars: 400 });
    assert.deepEqual(found, {
      total: 3000,
      isRecorded: true,
      tokensPerChar: 0.5,
      imageTokensPerChar: 0.25,
      parts: [
        { kind: 'prompt', tokens: 1000 },
        { kind: 'user', tokens: 200 },
        { kind: 'assistant', tokens: 1800 },
      ],
    });
  });

  it('estimates at the same scale after the last record', () => {
    assert.equal(
      shown(messages(['user', 400], ['assistant', 3600], ['user', 200]), { index: 1, tokens: 3000 }, { tokens: 1100, chars: 400 }),
      '3100: prompt 1000, user 300, assistant 1800',
    );
  });

  it('has the prompt even without other messages, and never a negative one', () => {
    assert.equal(shown(messages(['user', 400]), undefined, { tokens: 5000, chars: 4000 }), '4100~: prompt 4000, user 100');
    assert.equal(shown(messages(['user', 400]), undefined, { tokens: 50, chars: 4000 }), '100~: user 100');
  });

  it('ignores a prompt that leaves nothing for the messages', () => {
    assert.equal(shown(messages(['user', 4000]), { index: 0, tokens: 1200 }, { tokens: 1190, chars: 0 }), '1200: prompt 200, user 1000');
    assert.equal(shown(messages(['user', 4000]), { index: 0, tokens: 900 }), '900: user 900');
    assert.equal(shown(messages(['assistant', 0]), { index: 0, tokens: 900 }), '900: prompt 900');
  });

  it('scales the text, but not the images', () => {
    // 4,000 characters, estimated as 1,000 tokens, and an image of 100 were 3,100 tokens.
    const given = messages(['user', 4000], ['image', 400], ['assistant', 0]);
    const found = contextUsage(given, { index: 2, tokens: 3100 }, 'none-missing');
    assert.deepEqual(
      found.parts.map(({ kind, tokens }) => [kind, tokens]),
      [
        ['user', 3000],
        ['image', 100],
      ],
    );
    assert.deepEqual([found.tokensPerChar, found.imageTokensPerChar], [0.75, 0.25]);
  });

  it('scales the images too if they leave no room for the text, or if there is no text', () => {
    assert.equal(
      shown(messages(['user', 4000], ['image', 8000]), { index: 1, tokens: 1500 }, 'none-missing'),
      '1500: user 500, image 1000',
    );
    assert.equal(shown(messages(['image', 800]), { index: 0, tokens: 100 }, 'none-missing'), '100: image 100');
  });

  it('adds no prompt if the messages contain all of it', () => {
    const given = messages(['system', 3000], ['tools', 1000], ['user', 400], ['assistant', 400]);
    assert.equal(shown(given, { index: 3, tokens: 2400 }, 'none-missing'), '2400: system 1500, tools 500, user 200, assistant 200');
    assert.equal(shown(given, undefined, 'none-missing'), '1200~: system 750, tools 250, user 100, assistant 100');
  });

  it('has parts that add up to the total after rounding', () => {
    const { total, parts } = contextUsage(
      messages(['user', 1], ['assistant', 1], ['thinking', 1]),
      { index: 2, tokens: 100 },
      { tokens: 50, chars: 0 },
    );
    assert.equal(total, 100);
    assert.equal(
      parts.reduce((sum, { tokens }) => sum + tokens, 0),
      100,
    );
    assert.equal(
      totalChars([
        { kind: 'user', chars: 2 },
        { kind: 'image', chars: 3 },
      ]),
      5,
    );
  });
});
