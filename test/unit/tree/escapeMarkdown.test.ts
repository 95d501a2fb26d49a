import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { escapeMarkdown } from '../../../src/tree/items/escapeMarkdown';

interface Renderer {
  render(text: string): string;
}
const MarkdownIt = createRequire(__filename)('markdown-it') as new (options: object) => Renderer;
/** The most permissive renderer: it accepts HTML and bare addresses. */
const markdown = new MarkdownIt({ html: true, linkify: true });

/** Returns the rendered text without markup. */
const rendered = (text: string): string =>
  markdown
    .render(escapeMarkdown(text))
    .replace(/^<p>|<\/p>\n$/g, '')
    .replace(/<br>\n/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ');

describe('escapeMarkdown', () => {
  const texts: Readonly<Record<string, string>> = {
    'plain words': 'Some words, and some more.',
    emphasis: '*a* _b_ **c** ~~d~~ `e`',
    links: '[a](command:evil) <https://x.org> https://x.org www.x.org me@x.org ![i](http://x/y.png)',
    html: '<img src=x onerror=alert(1)> &amp; &lt;b&gt; <script>1</script>',
    blocks: '# head\n> quote\n- item\n1. one\n2) two\n***\n---\n===\n```\ncode\n```\n| a | b |\n|---|---|\n| 1 | 2 |',
    indentation: 'if:\n    then\n\n        else',
    icons: '$(zap) \\$(x) \\',
    math: '$x^2$',
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`shows ${name} literally`, () => {
      assert.equal(rendered(text).replace(/^ $/gm, ''), text);
    });
  }

  it('keeps spaces, so that lines wrap between words', () => assert.equal(escapeMarkdown('two words'), 'two words'));
});
