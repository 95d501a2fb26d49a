import assert from 'node:assert/strict';
import { isSafeLink, markdownPieces, renderMarkdown } from '../../../../src/context/page/markdown/renderMarkdown';

describe('Markdown of a session', () => {
  it('allows links by http, https and mailto only', () => {
    for (const href of ['https://a.example/b?c#d', 'HTTP://a', 'mailto:a@b.example']) assert.equal(isSafeLink(href), true, href);
    for (const href of [
      'javascript:alert(1)',
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'data:text/html,x',
      'vscode://x',
      '//a.example',
      '/a',
      'a.md',
      '',
      ' https://a',
      'java\tscript:x',
      'https:a',
      'http://a\nb',
    ]) {
      assert.equal(isSafeLink(href), false, href);
    }
  });

  it('creates no other links', () => {
    const html = renderMarkdown(
      '[a](javascript:alert(1)) [b](command:x) [c](file:///x) <javascript:x> [d][e]\n\n[e]: data:text/html,x\n\n[f](&#106;avascript:x) [g](JaVaScRiPt:x)',
    );
    assert.doesNotMatch(html, /<a/);
    assert.match(renderMarkdown('see https://a.example/x.'), /<a href="https:\/\/a\.example\/x">/);
    assert.doesNotMatch(renderMarkdown('see a.example or a@b.example'), /<a/);
  });

  it('shows the text of a link to a file, whose path the page can look up', () => {
    const link = (path: string, text: string): string => `<span class="file-link" title="${path}">${text}</span>`;
    for (const [text, html] of [
      ['see [checkout.ts](src/checkout.ts:12).', `see ${link('src/checkout.ts:12', 'checkout.ts')}.`],
      [
        '[`a.ts`](/work/a.ts#L3) and **[b](b.md)**',
        `${link('/work/a.ts#L3', '<code>a.ts</code>')} and <strong>${link('b.md', 'b')}</strong>`,
      ],
      ['*[a*b](src/a.ts)*', `<em>${link('src/a.ts', 'a*b')}</em>`],
      ['[Größe](docs/gr%C3%B6%C3%9Fe.md)', link('docs/größe.md', 'Größe')],
    ] as const)
      assert.equal(renderMarkdown(text), `<p dir="auto">${html}</p>\n`);
  });

  it('leaves other texts in brackets as they are', () => {
    for (const text of [
      'handlers[name](event.data) and f()[0](a/b)',
      '[a](javascript:alert) [b](file:///etc/passwd) [c](//host/share) [d](command:x)',
      '[x](a) [y](two words.md) ![image](docs/load.png) \\[a](b/c.ts)',
      '[a [b] c](src/a.ts) [%](100%)',
    ])
      assert.equal(renderMarkdown(text), `<p dir="auto">${text.replaceAll('\\[', '[')}</p>\n`);
    assert.match(renderMarkdown('[https://a.example](src/a.ts)'), /\]\(src\/a\.ts\)/);
    assert.match(
      renderMarkdown('[a](src/a.ts)[b](https://b.example)'),
      /title="src\/a\.ts">a<\/span><a href="https:\/\/b\.example">b<\/a>/,
    );
  });

  it('treats HTML as text', () => {
    const html = renderMarkdown('<script>x</script> <img src=x onerror=y>\n\n<svg onload=z>\n</script>\n\n<style>*{}</style>');
    assert.doesNotMatch(html, /<(?!\/?p\b)/);
  });

  it('loads no images: they become links', () => {
    assert.equal(
      renderMarkdown('![cat](https://a.example/cat.png)'),
      '<p dir="auto"><a class="image-link" href="https://a.example/cat.png">cat (https://a.example/cat.png)</a></p>\n',
    );
    assert.doesNotMatch(renderMarkdown('![x](data:image/png;base64,aGk=) ![y](javascript:z)'), /<(img|a)/);
  });

  it('treats HTML in invisible characters as text', () => {
    const tags = Array.from('<b title="x">&', (character) => `&#x${(0xe0000 + character.charCodeAt(0)).toString(16)};`).join('');
    const selectors = Array.from('<i>', (character) => `&#x${(0xe00f0 + character.charCodeAt(0)).toString(16)};`).join('');
    assert.equal(renderMarkdown(`${tags} x${selectors}`), '<p dir="auto">⟦&lt;b title=&quot;x&quot;&gt;&amp;⟧ x⟦&lt;i&gt;⟧</p>\n');
  });

  it('shows bidi characters, however they were written', () => {
    assert.equal(renderMarkdown('a&#8238;b&#x202e;c&rlm;d'), '<p dir="auto">a⟦RLO⟧b⟦RLO⟧c⟦RLM⟧d</p>\n');
    assert.doesNotMatch(
      renderMarkdown('<https://a.example/%E2%80%AEgpj.exe> [x](https://a.example "&#8238;t") `&#8238;`\n\n|&#8238;|\n|-|'),
      /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it('leaves formulas as text', () => {
    for (const text of [
      '$x_1 + \\frac{a}{b}$ and $$\\sum_i a * b*c*d$$',
      'so \\(a_1 * b\\) and \\[ x \\] end',
      '$a*b*c$ $_a_$',
      '$$a \\\\ b$$',
      '$',
    ]) {
      assert.equal(renderMarkdown(text), `<p dir="auto">${text}</p>\n`);
    }
    assert.match(renderMarkdown('from $5 to **$6**, or `$a*b*c$`'), /from \$5 to <strong>\$6<\/strong>, or <code>\$a\*b\*c\$<\/code>/);
    assert.match(renderMarkdown('$<b>x</b>$'), /\$&lt;b&gt;x&lt;\/b&gt;\$/);
  });

  it('starts headings below the level of the page’s own', () => {
    assert.equal(renderMarkdown('# a\n\n##### b'), '<h3 dir="auto">a</h3><h6 dir="auto">b</h6>');
  });

  it('marks the language of code, and escapes all of it', () => {
    assert.equal(renderMarkdown('```TS x\na < b\n```'), '<pre class="code" dir="ltr"><code class="language-ts">a &lt; b\n</code></pre>\n');
    assert.equal(renderMarkdown('```"><script>\n<b>\n```'), '<pre class="code" dir="ltr"><code>&lt;b&gt;\n</code></pre>\n');
    assert.equal(renderMarkdown('```html\n<b>\n```').includes('<b>'), false);
  });

  it('aligns tables without styles', () => {
    const html = renderMarkdown('| a | b |\n|:-:|--:|\n| 1 | 2 |');
    assert.match(html, /<td dir="auto" class="align-right">2/);
    assert.doesNotMatch(html, /style=/);
  });

  it('shows lists of tasks with a box for each, open or done', () => {
    const box = { ' ': '<span class="task-open">☐</span>', x: '<span class="task-done">☑</span>' };
    assert.equal(
      renderMarkdown('- [ ] one *a*\n- [x] two\n- three\n\n1. [X] `b`'),
      `<ul>\n<li class="task">${box[' ']} one <em>a</em></li>\n<li class="task">${box.x} two</li>\n<li>three</li>\n</ul>\n` +
        `<ol>\n<li class="task">${box.x} <code>b</code></li>\n</ol>\n`,
    );
    assert.match(renderMarkdown('- [x] one\n\n- [ ] two'), /<li class="task">\n<p dir="auto"><span class="task-done">☑<\/span> one<\/p>/);
  });

  it('shows brackets that are no tasks as text', () => {
    for (const text of ['[ ] a', '- [x]', '- [x]a', '- [  ] a', '- a [x] b', '- [y] a', '- `[x]` a', '- \\[x] a', '- # [x] a', '> [x] a'])
      assert.doesNotMatch(renderMarkdown(text), /task|☐|☑/, text);
    assert.match(renderMarkdown('- [x] a\n\n[x]: https://a.example'), /<li><a href="https:\/\/a\.example">x<\/a> a<\/li>/);
  });

  it('breaks lines in the cells of tables, and nowhere else', () => {
    const inCell = (text: string): string => /<td dir="auto">([^]*)<\/td>/.exec(renderMarkdown(`|a|\n|-|\n|${text}|`))?.[1] ?? '';
    for (const tag of ['<br>', '<br/>', '<br />', '<BR>']) {
      assert.equal(inCell(`a${tag}**b${tag}c**`), 'a<br>\n<strong>b<br>\nc</strong>', tag);
      assert.equal(renderMarkdown(`a${tag}b`), `<p dir="auto">a${tag.replace('<', '&lt;').replace('>', '&gt;')}b</p>\n`);
    }
    assert.equal(inCell('[a<br>b](https://a.example)'), '<a href="https://a.example">a<br>\nb</a>', 'once in a link');
    assert.match(renderMarkdown('|a<br>b|\n|-|'), /<th dir="auto">a<br>\nb<\/th>/);
    for (const text of [
      '<br class=x>',
      '<br onload=x/>',
      '</br>',
      '<b r>',
      '<br  />',
      '&lt;br&gt;',
      '`<br>`',
      '\\<br>',
      '<b>a</b>',
      '<img src=x>',
    ])
      assert.doesNotMatch(inCell(text), /<(?!\/?code>)/, text);
  });

  it('is rendered in pieces that together are the whole', () => {
    const block = '# a\n\ntext [x] *b*\n\n- one\n\n  more\n- two\n\n> q\n\n```ts\na\n\nb\n```\n\n|a|\n|-|\n|b|\n\n---\n\n';
    const text = `${block.repeat(5)}[x]: https://a.example`;
    for (const length of [0, 60, 1000]) assert.equal([...markdownPieces(text, length)].join(''), renderMarkdown(text), String(length));
    assert.equal([...markdownPieces(text, 0)].length, 7 * 5);
    assert.equal([...markdownPieces(text, 1000)].length, 1);
    assert.deepEqual([...markdownPieces('', 100)], []);
  });

  it('loses nothing in deeply nested quotes and lists', () => {
    for (const mark of ['> ', '>', '- ', '1. ', '> - ']) {
      const html = renderMarkdown(`${mark.repeat(300)}first\nsecond\n\nthird\n${'> '.repeat(19)}fourth`);
      for (const text of ['first', 'second', 'third', 'fourth']) assert.match(html, new RegExp(text), mark);
      assert.ok(html.split(/<(?:blockquote|ul|ol)/).length <= 41, mark);
    }
    const list = Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- item ${String(depth)}\n`).join('');
    assert.equal(renderMarkdown(list).match(/item \d+/g)?.length, 30);
  });

  it('counts only lines that may be tables for that', () => {
    const list = `Title\n${'- item\n'.repeat(1000)}\n`;
    const html = renderMarkdown(`${list.repeat(6)}| a | b |\n| - | - |\n| 1 | 2 |`);
    assert.equal(html.match(/<li>/g)?.length, 6000);
    assert.match(html, /<td[^>]*>2<\/td>/);
  });

  it('creates no tables with many more cells than the text has', () => {
    const wide = `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'a\n'.repeat(300)}\n`;
    const small = `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'a\n'.repeat(20)}\n`;
    for (const text of [wide, small.repeat(50), `${small}> x\n`.repeat(50)]) {
      const html = renderMarkdown(text);
      assert.ok(html.split(/<t[dh]/).length <= 5001);
      assert.equal([...html.replace(/<[^>]*>/g, '').matchAll(/a/g)].length, [...text.matchAll(/a/g)].length);
    }
    const table = `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(2000)}`;
    assert.equal(renderMarkdown(table).split('<td').length, 4001);
    assert.equal(renderMarkdown(table).split('<td').length, 4001, 'each text has its own limit');
  });
});
