import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finishSteps } from '../../../src/core/format/session/steps';
import { normalizeMarkdown } from '../../../src/core/format/text/markdown/markdownProse';
import { truncateMiddle, codeBlock, inlineText } from '../../../src/core/format/text/markdown/markdownText';
import { numbers } from '../../fixtures/random';
import { target } from '../../fuzz/markdown';
import { harmIn } from '../../fuzz/markdownRenderers';
import { Random } from '../../fuzz/target';

const normalized = (text: string): string => finishSteps(normalizeMarkdown(text));

describe('Untrusted text in Markdown', () => {
  it('is only text for every renderer', async function () {
    this.timeout(60_000);
    const seed = Number(process.env['SEED'] ?? 1);
    const next = numbers(seed);
    try {
      for (let cases = 0; cases < 500; cases++) await target.run(new Random((end) => Math.floor(next() * end)));
    } catch (error) {
      throw new Error(`SEED=${String(seed)} finds this again: ${(error as Error).message}`, { cause: error });
    }
  });

  it('is only text in cases that once failed', () => {
    for (const text of [
      'https://x.y/<img src=https://evil.example/a.png>',
      'www.x.y/![a b](https://evil.example/a.png)',
      '`a``<img src=https://evil.example/a.png>`` `',
      'a | `b|<img src=https://evil.example/a.png>`\n--|--|--',
      '\\`<img src=https://evil.example/a.png>`',
      '> ```\n<img src=https://evil.example/a.png>',
      '[a]\n\n[a]: command:workbench.action.quit',
      '- - ~~~mermaid\n      graph TD',
      '$\\href{javascript:x}{y}$',
    ]) {
      assert.deepEqual(harmIn(normalized(text)), [], text);
      assert.deepEqual(harmIn(inlineText(text)), [], text);
    }
  });

  it('keeps harmless formatting', () => {
    const answer =
      'Some **bold** text with `a < b` and `<T>`.\n\n- one\n- two\n\n```ts\nconst a = <T>b;\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |';
    assert.equal(normalized(answer), answer);
  });

  it('turns headings into bold lines, and tags into text', () => {
    assert.equal(normalized('# Title ##\nnext\nunder\n---\nline\n==='), '**Title**\n\nnext\nunder\n\\---\nline\n\\===');
    assert.equal(normalized('a <img src=x onerror=y> b \\<i> c'), 'a &lt;img src=x onerror=y> b &lt;i> c');
    assert.equal(normalized('- # in a list\n> ## in a quote'), '- \\# in a list\n\n> **in a quote**');
  });

  it('shows links, images and addresses as written, as text and code', () => {
    assert.equal(
      normalized('![x](http://y.z) [a](src/a.ts) <https://x.y>.'),
      '!\\[x\\](`http://y.z`) \\[a\\](src/a.ts) &lt;`https://x.y`>.',
    );
    assert.equal(normalized('**https://x.y/a_b**, me@x.org and `code`//x.y'), '**`https://x.y/a_b`**, `me@x.org` and `code` `//x.y`');
    assert.equal(inlineText('https://x.y: *no* `code` & $x$'), '`https://x.y`: \\*no\\* &#96;code&#96; &amp; &#36;x&#36;');
  });

  it('keeps quotes, code in quotes, and indented code', () => {
    assert.equal(
      normalized('> a\n> ```js\n> <b>\n> ```\n\n    if (a < b)\n\n    c'),
      '> a\n>\n> ```js\n> <b>\n> ```\n\n```\nif (a < b)\n\nc\n```',
    );
    assert.equal(normalized('- a\n\n    still `<T>` in the list'), '- a\n\n    still `<T>` in the list');
  });

  it('keeps languages of code, but none that a preview draws', () => {
    assert.equal(normalized('```ts title\n```\n```mermaid\n```'), '```ts\n\n```\n\n```\n\n```');
  });

  it('keeps a fence in a list, and closes an open one', () => {
    assert.equal(normalized('1. do\n   ```sh\n   ls\n   ```\n2. done'), '1. do\n\n```sh\nls\n```\n\n2. done');
    assert.equal(normalized('```\nopen <b>'), '```\nopen <b>\n```');
  });

  it('gets a longer fence than any in it', () => {
    assert.equal(codeBlock('a\n````\nb'), '`````\na\n````\nb\n`````');
    assert.equal(codeBlock('\u001b[31mred\u001b[0m\r\n'), '```\nred\n```');
  });
});

describe('truncateMiddle', () => {
  it('notes the number of omitted characters and splits none', function () {
    this.timeout(60_000);
    const note = (count: number): string => `<${String(count)}>`;
    assert.equal(truncateMiddle('short', 5, note), 'short');
    assert.equal(truncateMiddle('abcdefghijkl', 6, note), 'abcd\n<6>\nkl');
    assert.equal(truncateMiddle('🚀'.repeat(6), 6, note), '🚀🚀\n<6>\n🚀');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '🚀', '\n'), maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
        assert.doesNotMatch(truncateMiddle(text, limit, note), /\p{Surrogate}/u);
      }),
    );
  });
});
