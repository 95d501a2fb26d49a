/** Markdown as the page draws it. What comes out goes through `sanitize` before it is drawn. */
import { createMarkdownRenderer } from '../markdown';

export { isSafeLink } from '../markdown';

export const { toHtml: renderMarkdown, toHtmlPieces: markdownPieces } = createMarkdownRenderer();
