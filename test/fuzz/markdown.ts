/** Session text in Markdown documents and tooltips: no renderer finds anything in it that loads, runs or leads somewhere. */
import assert from 'node:assert/strict';
import { formatMessage } from '../../src/core/format/entry/problem';
import type { Entry } from '../../src/core/format/entry/entry';
import type { EntryHead } from '../../src/core/format/entry/entryHead';
import { markdownSection } from '../../src/core/format/context/markdown/markdownSection';
import { finishSteps } from '../../src/core/format/session/steps';
import { normalizeMarkdown } from '../../src/core/format/text/markdown/markdownProse';
import { codeBlock, inlineCode, inlineText, blockQuote } from '../../src/core/format/text/markdown/markdownText';
import { escapeMarkdown } from '../../src/tree/items/escapeMarkdown';
import { harmIn, headingsOf, kindsOf } from './markdownRenderers';
import { DANGEROUS, type FuzzTarget, type Random } from './target';

const normalized = (text: string): string => finishSteps(normalizeMarkdown(text));

const EVIL = 'https://evil.example/a.png';

/**
 * Pieces of text with a meaning in Markdown, and pieces that would do harm if they got one. They often are adjacent, so
 * that they can form a construct.
 */
export const MARKDOWN: readonly string[] = [
  ...DANGEROUS,
  ...[
    '`',
    '`',
    '``',
    '``',
    '```',
    '````',
    '~~~',
    '\\',
    '\\',
    '\\`',
    '\\<',
    '\\[',
    '\\]',
    '|',
    '|',
    '| - |',
    '\n| --- | --- |\n',
    '\n---\n',
    '\n===\n',
    '\n-\n',
    '|-|',
    ':-',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\n\n',
    '  \n',
    '\n    ',
    '\n\t',
    '\n> ',
    '\n> > ',
    '\n- ',
    '\n1. ',
    '\n  ',
    '>',
    '# ',
    '###### ',
    '- [ ] ',
    '::: mermaid\n',
    '```mermaid\n',
    '- - ~~~mermaid\n',
    '\n\na | `b|<img>`\n-|-|-\n',
    '\n```math\n',
    '$',
    '$$',
    '\\begin{align}',
  ],
  ...[
    `<img src=${EVIL}>`,
    `<img src="${EVIL}" srcset="${EVIL} 2x">`,
    `![a](${EVIL})`,
    '![a]',
    '![a][b]',
    '[a]',
    `[a]: ${EVIL}\n`,
    '[^a]',
    `[^a]: ${EVIL}\n`,
    '(',
    `(${EVIL})`,
    `(<${EVIL}>)`,
    ')',
  ],
  ...[
    '[x](command:workbench.action.quit)',
    '[x](file:///etc/passwd)',
    '[x](vscode://x/y)',
    '[x](javascript:y)',
    '<command:x>',
    `<${EVIL}>`,
    '<a@x.org>',
    '<video src=x>',
    '<iframe src=x>',
    '<svg onload=x>',
    '<style>a{background:url(x)}',
    '<details>',
    '</details>',
    '<!--',
    '-->',
    '<?x',
    '?>',
    '<![CDATA[',
    ']]>',
    '<!X',
    '<b',
    '</b>',
    '<pre>',
    '<script>',
  ],
  ...[
    'https://x.y/',
    'http://x.y/',
    'ftp://x.y',
    'https:',
    '//',
    '//x.y',
    '://',
    'www.',
    'www.x.y',
    'me@x.org',
    'mailto:',
    'mailto:me@x.org',
    'xmpp:a@b.c',
    'x.org',
    '@',
    '@name',
    '&colon;',
    '&#58;',
    '&#47;',
    '&#x2f;',
    '&lt;img src=x&gt;',
    '&#60;',
    '&lsqb;',
    '&',
    '&amp',
    '#',
    '#1',
    '{',
    '}',
    '{onclick=x}',
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '!',
    '"',
    "'",
    'a',
    'b',
    ' ',
    ' ',
    '日本',
    'é',
    '\u00a0',
    '\u2028',
  ],
];

const head = (id: string, role: string, text: string): EntryHead =>
  ({ id, parentId: null, type: 'message', role, time: 0, length: 0, text, line: 1, offset: 0 }) as unknown as EntryHead;

/** Returns a document with hostile text in every part of an entry. */
export function hostileDocument(text: () => string): string {
  const results = [
    {
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId: 'call',
        toolName: text(),
        isError: true,
        content: [
          { type: 'text', text: text() },
          { type: 'image', mimeType: text(), data: '' },
        ],
        details: { diff: text() },
      },
    },
    { type: 'message', message: { role: 'toolResult', toolCallId: 'other', toolName: text(), content: text() } },
  ];
  const entries: [object, object[]][] = [
    [{ type: 'message', message: { role: 'user', content: text() } }, []],
    [
      {
        type: 'message',
        message: {
          role: 'assistant',
          stopReason: 'error',
          errorMessage: text(),
          content: [
            { type: 'thinking', thinking: text() },
            { type: 'text', text: text() },
            {
              type: 'toolCall',
              id: 'call',
              name: text(),
              arguments: { [text()]: text(), [text()]: `${text()}\n${text()}`, deep: { [text()]: text() } },
            },
          ],
        },
      },
      results,
    ],
    [{ type: 'message', message: { role: 'bashExecution', command: text(), output: text() } }, []],
    [{ type: 'message', message: { role: 'custom', customType: text(), content: text() } }, []],
    [{ type: 'custom_message', customType: text(), content: [{ type: 'text', text: text() }] }, []],
    [{ type: 'branch_summary', summary: text() }, []],
    [{ type: 'compaction', id: '6', summary: text(), tokensBefore: 1 }, []],
    [{ type: 'model_change' }, []],
  ];
  const sections = entries.map(([entry, after], index) => {
    const id = String(index);
    const options = { translate: formatMessage, labels: new Map([[id, text()]]) };
    return finishSteps(markdownSection({ head: head(id, 'user', text()), entry: entry as Entry, results: after as Entry[] }, options));
  });
  return [`# ${inlineText(text())}`, `- Folder: ${inlineCode(text())}\n- Model: ${inlineText(text())}`, ...sections].join('\n\n');
}

/** Pieces for lines of text and code. */
const PLAIN = new Set(['heading_open', 'heading_close', 'paragraph_open', 'paragraph_close', 'inline', 'text', 'code_inline']);

/** @throws with the texts and what was found */
function checkMarkdown(first: string, second: string): void {
  const line = `# ${inlineText(first)} · ${inlineCode(second)} · ${inlineText(second)}\n\n${inlineText(first)}\n\n${inlineText(second)}`;
  for (const kind of kindsOf(line)) assert.ok(PLAIN.has(kind), `A line of ${JSON.stringify([first, second])} has ${kind}:\n${line}`);
  const prose = `# Ours\n\n${normalized(first)}\n\n## Mine\n\n${blockQuote(normalized(second))}\n\n## End\n\n${codeBlock(first)}\n\n- ${inlineText(first)}: ${inlineCode(second)}\n- ${inlineText(second)}`;
  assert.deepEqual(
    headingsOf(prose),
    ['Ours', 'Mine', 'End'],
    `The prose of ${JSON.stringify([first, second])} has other headings:\n${prose}`,
  );
  noHarmIn([first, second], `${prose}\n\n${line}`);
  noHarmIn([first, second], `${escapeMarkdown(first)}\n\n---\n\n${escapeMarkdown(second)}`);
}

function noHarmIn(texts: readonly string[], markdown: string): void {
  const found = harmIn(markdown);
  assert.ok(found.length === 0, `The document of ${JSON.stringify(texts)} has ${found.join(', ')}:\n${markdown}`);
}

export const target: FuzzTarget = {
  name: 'Markdown documents and tooltips',
  cases: 1_000,
  run(random: Random): void {
    const text = (): string => random.text(14, MARKDOWN);
    if (!random.once(8)) {
      checkMarkdown(text(), text());
      return;
    }
    const used: string[] = [];
    const markdown = hostileDocument(() => (used.push(text()), used.at(-1)!));
    noHarmIn(used, markdown);
  },
};
