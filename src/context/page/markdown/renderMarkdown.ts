/** The page's Markdown renderer. Its output is untrusted until `sanitizeHtml` has filtered it. */
import { createMarkdownRenderer } from '../../shared/markdownRenderer';

export { isSafeLink } from '../../shared/markdownRenderer';

export const { toHtml: renderMarkdown, toHtmlPieces: markdownPieces } = createMarkdownRenderer();
