/** Exports as Markdown for GitHub: a document for each session, and an index. */
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defined } from '../../format/values/defined';
import { formatMessage, type TranslateMessage } from '../../format/entry/problem';
import { PART_BREAK } from '../../format/context/markdown/markdownSection';
import { inlineCode, inlineText } from '../../format/text/markdown/markdownText';
import { createFile } from '../io/atomicFile';
import { readSession } from '../read/sessionFile';
import { temporaryName } from '../storage/temporaryFiles';
import { branchesToMarkdown } from './markdown/branchesMarkdown';
import { dayOf, type ExportSource, type FormatFacts, type IndexedFile } from './exportFormat';

export const MARKDOWN_FORMAT: FormatFacts = {
  label: 'Markdown',
  describe: (translate) => translate('to read, here or on GitHub', {}),
  extension: 'md',
  hasFileImages: false,
  parts: markdownParts,
  index: (files, { translate }) => ({ name: 'README.md', text: markdownIndex(files, translate) }),
};

/** Makes the document of a redacted copy, so that nothing else can get into it. */
async function* markdownParts(source: ExportSource, target: string): AsyncGenerator<string, void> {
  const { signal, translate = formatMessage } = source.style;
  const copy = join(dirname(target), temporaryName(`${basename(target)}.jsonl`));
  try {
    await createFile(
      copy,
      async (to) => {
        for await (const line of source.lines()) await to.line(line);
      },
      { mode: 0o600 },
    );
    const session = await readSession(copy, { dialect: source.session.dialect, ...defined({ signal }) });
    for await (const part of branchesToMarkdown(session, { translate, ...defined({ note: source.note(), signal }) })) {
      signal?.throwIfAborted();
      yield part;
      // A text of both would be joined, which takes too long for a long part.
      yield PART_BREAK;
    }
  } finally {
    await unlink(copy).catch(() => undefined);
  }
}

function markdownIndex(files: readonly IndexedFile[], translate: TranslateMessage): string {
  const rows = files.map((file) =>
    // A bracket in a title is escaped, and names have plain characters only.
    [`- [${inlineText(file.head.title)}](${basename(file.path)})`, dayOf(file), inlineCode(file.head.cwd)]
      .filter((part) => part !== '')
      .join(' · '),
  );
  return `# ${translate('Sessions', {})}\n\n${rows.join('\n')}\n`;
}
