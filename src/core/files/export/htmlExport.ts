/**
 * Writes a session as one HTML file that needs no network: the context view's own page, with the session's lines in it.
 * The policy in the file allows its scripts and its styles by their hashes, and nothing else.
 */
import { join } from 'node:path';
import { defined } from '../../format/values/defined';
import { DATA_BLOCK_END, DATA_BLOCK_START, embedLineSteps } from '../../format/export/htmlData';
import { EXPORT_INFO_ID, type ExportInfo, type Translations } from '../../format/export/exportInfo';
import { formatMessage, SessionError, type TranslateMessage } from '../../format/entry/problem';
import { isArray } from '../../format/values/jsonValues';
import { Yielder } from '../concurrency/eventLoop';
import { isMissing } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';
import { escapeHtml, htmlHead, policyHash } from './htmlDocument';

/** Options of {@link exportHtml}. */
export interface HtmlExportOptions extends ExportInfo {
  /** The folder of the page's script and styles. By default the folder of this code's bundle. */
  readonly pageFolder?: string;
  /** Translates the text for browsers without JavaScript; English by default. */
  readonly translate?: TranslateMessage;
}

/** UTF-16 units of lines in one block: browsers bound the length of a text. */
const BLOCK_LENGTH = 16 * 1024 * 1024;
/** UTF-16 units that are yielded together. */
const CHUNK_LENGTH = 256 * 1024;
/** Bytes of a script of the page, and of a style sheet. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MISSING = 'A file of the extension is missing, so nothing was exported. Install the extension again: {path}';
/** The page's scripts in the order in which they run, in the folder of this code's bundle. */
export const PAGE_SCRIPTS = ['markdown-it.js', 'page.js'];
const STYLES = ['page.css', 'export.css'];
/** The keys of the page's texts, which the build takes from the page's modules. */
const TEXTS = 'page.texts.json';

/**
 * Yields the text of the file in pieces. The memory doesn't grow with the session.
 *
 * @param lines the session's lines without their line breaks, in the order of its file, redacted if they have to be
 * @throws {SessionError} `damaged` if the extension's own files are missing; whatever `lines` throws.
 */
export async function* exportHtml(lines: AsyncIterable<string>, options: HtmlExportOptions): AsyncGenerator<string, void> {
  const { pageFolder = __dirname, translate = formatMessage, ...given } = options;
  const filesOf = (names: readonly string[]): Promise<string[]> => Promise.all(names.map((name) => pageFile(pageFolder, name)));
  const scripts = (await filesOf(PAGE_SCRIPTS)).map(safeScript);
  const styles = await filesOf(STYLES);
  const translations = given.translations && (await pageTranslations(pageFolder, given.translations));
  const info = { ...given, ...defined({ translations }) };
  yield beginning(info, scripts, styles, translate('This session needs JavaScript, which runs in this page only and loads nothing.', {}));
  let chunk = `${DATA_BLOCK_START}\n`;
  let length = 0;
  const turn = new Yielder(undefined);
  for await (const line of lines) {
    if (length > BLOCK_LENGTH) {
      chunk += `${DATA_BLOCK_END}\n${DATA_BLOCK_START}\n`;
      length = 0;
    }
    for (const piece of [...(await turn.run(embedLineSteps(line))), '\n']) {
      length += piece.length;
      chunk += piece;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield `${chunk}${DATA_BLOCK_END}\n${scripts.map((script) => `<script>${script}</script>`).join('\n')}\n</body>\n</html>\n`;
}

/** Returns the block that the page reads its information from. */
export const infoBlock = (info: ExportInfo): string =>
  `<script type="application/json" id="${EXPORT_INFO_ID}">${JSON.stringify(info).replaceAll('<', '\\u003c')}</script>`;

function beginning(info: ExportInfo, scripts: readonly string[], styles: readonly string[], noScript: string): string {
  const directives = [`script-src ${scripts.map(policyHash).join(' ')}`, `img-src data:`];
  return `${htmlHead({ title: info.title, language: info.language ?? 'en', styles, directives })}<body class="is-export">
<noscript><p>${escapeHtml(noScript)}</p></noscript>
${infoBlock(info)}
`;
}

/** Keeps the browser's parser from ending the script, or from taking a part of it for a comment: `\x3c` is `<` in JavaScript's texts. */
const safeScript = (script: string): string => script.replace(/<(?=!--|\/?script)/gi, '\\x3c');

/**
 * Returns the translations that the page may show. All of them are some 130 KB.
 *
 * @param folder as {@link HtmlExportOptions.pageFolder}
 * @throws {SessionError} `damaged` if the list of them is missing
 */
export async function pageTranslations(folder: string, translations: Translations): Promise<Translations> {
  const keys: unknown = JSON.parse(await pageFile(folder, TEXTS));
  const shown = new Set(isArray(keys) ? keys : []);
  return Object.fromEntries(Object.entries(translations).filter(([key]) => shown.has(key)));
}

async function pageFile(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const text = await readSmallText(path, { maxBytes: MAX_PAGE_BYTES }).catch((error: unknown) => {
    throw isMissing(error) ? new SessionError('damaged', MISSING, { path }, { cause: error }) : error;
  });
  // Browsers read carriage returns as line breaks, which would change the hash. The source map isn't there.
  return text.replaceAll('\r\n', '\n').replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=[^\n]*\n?$/, '');
}
