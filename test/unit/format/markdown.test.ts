import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { cutMiddle, fenced, inlineCode, inlineText, proseText, quoted } from '../../../src/core/format/markdownText';

// What VS Code's preview reads with: HTML is on there.
const reader = new MarkdownIt({ html: true, linkify: true });

/** The kinds of everything in a document, those inside paragraphs included. */
function kinds(markdown: string): string[] {
  return reader.parse(markdown, {}).flatMap((token) => [token.type, ...(token.children ?? []).map((child) => child.type)]);
}

const FORBIDDEN = ['heading_open', 'html_block', 'html_inline', 'image'];

/** Text that is made to break a document, put together in every way. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('<b>', '</details>', '<!-- ', '-->', '<script>', '<?x', '<![CDATA[', '![a](http://x/y.png)', '![a]', '[a]: /b', '(http://x)') },
      { weight: 4, arbitrary: fc.constantFrom('`', '``', '```', '```js', '~~~', '````', '\\', '\\`', '|', '| - |', '---', '===', '-', '=', '# ', '## x', '######', '#') },
      { weight: 4, arbitrary: fc.constantFrom('\n', '\n', '\n\n', '\r', '\r\n', '  ', '    ', '\t', '- ', '1. ', '> ', '* ', '+ ', '>') },
      { weight: 2, arbitrary: fc.constantFrom('word', ' ', 'x', '*', '**', '_', '&lt;', '&', ':', '\u001b[31m', '\0') },
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

describe('Foreign text in markdown', () => {
  it('opens no heading, HTML or picture, and ends where it ends', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(hostile, hostile, (first, second) => {
        for (const form of [proseText, fenced, (text: string) => quoted(proseText(text))]) {
          const markdown = `# Ours\n\n${form(first)}\n\n## Mine\n\n${form(second)}\n\n## End\n`;
          const found = kinds(markdown).filter((kind) => FORBIDDEN.includes(kind));
          assert.deepEqual(found, ['heading_open', 'heading_open', 'heading_open'], markdown);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is nothing but text in a line of ours', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const found = kinds(`# ${inlineText(text)} end`).filter((kind) => !['heading_open', 'heading_close', 'inline', 'text', 'text_special'].includes(kind));
        assert.deepEqual(found, []);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is one piece of code in a line of ours', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const code = inlineCode(text);
        if (code === '') return;
        const inline = reader.parse(`a ${code} b`, {}).flatMap((token) => token.children ?? []);
        assert.deepEqual(inline.map(({ type }) => type), ['text', 'code_inline', 'text'], code);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stays as its writer meant it where it does no harm', () => {
    const answer = 'Some **bold** text with `a < b` and `<T>`.\n\n- one\n- two\n\n```ts\nconst a = <T>b;\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |';
    assert.equal(proseText(answer), answer);
  });

  it('keeps headings as bold lines, and tags as text', () => {
    assert.equal(proseText('# Title ##\nnext\nunder\n---\nline\n==='), '**Title**\n\nnext\nunder\n\\---\nline\n\\===');
    assert.equal(proseText('a <img src=x onerror=y> b \\<i> c <https://x.y>'), 'a \\<img src=x onerror=y> b \\<i> c \\<https://x.y>');
    assert.equal(proseText('![x](http://y)'), '!\\[x](http://y)');
    assert.equal(proseText('- # in a list\n> ## in a quote'), '- \\# in a list\n> \\## in a quote');
  });

  it('keeps a fence in a list, and closes one that is left open', () => {
    assert.equal(proseText('1. do\n   ```sh\n   ls\n   ```\n2. done'), '1. do\n\n```sh\nls\n```\n\n2. done');
    assert.equal(proseText('```\nopen <b>'), '```\nopen <b>\n```');
  });

  it('is fenced by more than any fence in it', () => {
    assert.equal(fenced('a\n````\nb'), '`````\na\n````\nb\n`````');
    assert.equal(fenced('\u001b[31mred\u001b[0m\r\n'), '```\nred\n```');
  });
});

describe('Cutting the middle', () => {
  it('says how much is left out and parts no character', function () {
    this.timeout(60_000);
    const note = (count: number): string => `<${String(count)}>`;
    assert.equal(cutMiddle('short', 5, note), 'short');
    assert.equal(cutMiddle('abcdefghijkl', 6, note), 'abcd\n<6>\nkl');
    assert.equal(cutMiddle('🚀'.repeat(6), 6, note), '🚀🚀\n<6>\n🚀');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '🚀', '\n'), maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
        assert.doesNotMatch(cutMiddle(text, limit, note), /\p{Surrogate}/u);
      }),
    );
  });
});
