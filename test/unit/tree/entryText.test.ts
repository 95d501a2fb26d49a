import assert from 'node:assert/strict';
import { entryRowText, shortenPath } from '../../../src/tree/items/entryText';

describe('entryRowText', () => {
  it('leaves the role to the icon', () => {
    assert.deepEqual(
      [
        entryRowText({ type: 'message', role: 'user', text: 'user: user: what?' }),
        entryRowText({ type: 'message', role: 'user', text: '[user: review]' }),
        entryRowText({ type: 'message', role: 'assistant', text: 'assistant: (aborted)' }),
        entryRowText({ type: 'message', role: 'toolResult', text: 'assistant: no' }),
        entryRowText({ type: 'compaction', text: '[compaction: 12k tokens]' }),
      ],
      ['user: what?', '[review]', '(aborted)', 'assistant: no', '[compaction: 12k tokens]'],
    );
  });

  it('leaves out the marks of a heading, and of nothing else', () => {
    assert.equal(entryRowText({ type: 'message', role: 'assistant', text: 'assistant: ### Hold stock' }), 'Hold stock');
    assert.equal(entryRowText({ type: 'message', role: 'user', text: 'user: # Plan' }), 'Plan');
    for (const text of ['#123 fails', '#', '####### seven'])
      assert.equal(entryRowText({ type: 'message', role: 'user', text: `user: ${text}` }), text);
  });

  it('shortens the path of a call in the middle, and nothing else', () => {
    const call = (text: string): string => entryRowText({ type: 'message', role: 'toolResult', text });
    assert.equal(call('[read: src/components/checkout/form/payment.test.ts:1-40]'), '[read: src/…/payment.test.ts:1-40]');
    assert.equal(call('[grep: /a in b/ in packages/first/second/third/index.ts]'), '[grep: /a in b/ in packages/…/third/index.ts]');
    assert.equal(call('[edit: src/cart.ts]'), '[edit: src/cart.ts]');
    const command = '[bash: cat src/components/checkout/form/payment.test.ts]';
    assert.equal(call(command), command);
  });
});

describe('shortenPath', () => {
  it('keeps the file’s name whole, and as many folders at the end as fit beside the first', () => {
    assert.deepEqual(
      [
        shortenPath('src/a.ts', 8),
        shortenPath('src/one/two/a.ts', 14),
        shortenPath('src/one/two/a.ts', 15),
        shortenPath('src/one/two/three.ts', 10),
        shortenPath('a-very-long-name.ts', 5),
        shortenPath('C:\\work\\deep\\a.ts', 12),
        shortenPath('/one/two/three/a.ts', 12),
      ],
      ['src/a.ts', 'src/…/two/a.ts', 'src/…/two/a.ts', '…/three.ts', 'a-very-long-name.ts', 'C:\\…\\a.ts', '/…/a.ts'],
    );
  });
});
