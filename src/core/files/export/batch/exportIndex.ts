/** The page that lists exported sessions: HTML that needs no script and no network, or Markdown for GitHub. */
import { basename } from 'node:path';
import { formatMessage, type TranslateMessage } from '../../../format/entry/problem';
import { inlineCode, inlineText } from '../../../format/text/markdownText';
import type { ExportStyle } from '../exportContent';
import type { ExportResult } from '../exportSession';
import { escapeHtml, htmlHead } from '../htmlDocument';
import type { FolderPage } from './exportFolder';

/** Returns the name and the text of the index, if the format has one. */
export function exportIndex(
  files: readonly ExportResult[],
  { format, translate = formatMessage, language = 'en' }: Pick<ExportStyle, 'format' | 'translate' | 'language'>,
): FolderPage[] {
  if (format === 'jsonl') return [];
  const newestFirst = [...files].sort((a, b) => (a.head.timestamp < b.head.timestamp ? 1 : -1));
  return format === 'html'
    ? [{ name: 'index.html', text: htmlIndex(newestFirst, translate, language) }]
    : [{ name: 'README.md', text: markdownIndex(newestFirst, translate) }];
}

const dayOf = ({ head }: ExportResult): string => (/^\d{4}-\d{2}-\d{2}/.test(head.timestamp) ? head.timestamp.slice(0, 10) : '');

function markdownIndex(files: readonly ExportResult[], translate: TranslateMessage): string {
  const rows = files.map((file) =>
    // A bracket in a title is escaped, and names have plain characters only.
    [`- [${inlineText(file.head.title)}](${basename(file.path)})`, dayOf(file), inlineCode(file.head.cwd)]
      .filter((part) => part !== '')
      .join(' · '),
  );
  return `# ${translate('Sessions', {})}\n\n${rows.join('\n')}\n`;
}

const STYLE = `:root{color-scheme:light dark}
body{background:Canvas;color:CanvasText;max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
a{color:LinkText}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8886;text-align:start;vertical-align:top;overflow-wrap:anywhere}
td:nth-child(2){white-space:nowrap}`;

function htmlIndex(files: readonly ExportResult[], translate: TranslateMessage, language: string): string {
  const title = translate('Sessions', {});
  const head = [translate('Session', {}), translate('Started', {}), translate('Folder', {})]
    .map((name) => `<th scope="col">${escapeHtml(name)}</th>`)
    .join('');
  const rows = files.map((file) => {
    const cells = [
      `<a href="${basename(file.path)}" dir="auto">${escapeHtml(file.head.title)}</a>`,
      escapeHtml(dayOf(file)),
      escapeHtml(file.head.cwd),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `${htmlHead({ title, language, styles: [STYLE] })}<body>
<main>
<h1>${escapeHtml(title)}</h1>
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`;
}
