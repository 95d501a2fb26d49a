/** Exports as HTML: a page for each session, and an index that needs no script and no network. */
import { basename } from 'node:path';
import { defined } from '../../format/values/defined';
import type { TranslateMessage } from '../../format/entry/problem';
import { dayOf, type ExportSource, type FormatFacts, type IndexedFile } from './exportFormat';
import { escapeHtml, htmlHead } from './htmlDocument';
import { exportHtml } from './htmlExport';

export const HTML_FORMAT: FormatFacts = {
  label: 'HTML',
  describe: (translate) => translate('to read in any browser, with the tree', {}),
  extension: 'html',
  hasFileImages: true,
  parts: htmlParts,
  index: (files, { translate, language }) => ({ name: 'index.html', text: htmlIndex(files, translate, language) }),
};

/** Yields the text of the page in pieces. */
export async function* htmlParts(source: ExportSource): AsyncGenerator<string, void> {
  const lines = source.lines();
  try {
    const first = await lines.next();
    if (first.done === true) return;
    const whole = async function* (): AsyncGenerator<string, void> {
      yield first.value;
      yield* lines;
    };
    const { pageFolder, translate, language, translations } = source.style;
    yield* exportHtml(whole(), {
      title: source.head.title,
      leafId: source.leafId,
      dialect: source.session.dialect,
      windows: source.windows,
      ...defined({ note: source.note(), pageFolder, translate, language, translations }),
    });
  } finally {
    // The page may fail before its lines are read.
    await lines.return();
  }
}

const STYLE = `:root{color-scheme:light dark}
body{background:Canvas;color:CanvasText;max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
a{color:LinkText}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8886;text-align:start;vertical-align:top;overflow-wrap:anywhere}
td:nth-child(2){white-space:nowrap}`;

function htmlIndex(files: readonly IndexedFile[], translate: TranslateMessage, language: string): string {
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
