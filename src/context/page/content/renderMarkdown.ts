/** Markdown as the page draws it. What comes out goes through `sanitize` before it is drawn. */
import { createMarkdownRenderer } from '../../shared/markdownRenderer';

export { isSafeLink } from '../../shared/markdownRenderer';

export const { toHtml: renderMarkdown, toHtmlPieces: markdownPieces } = createMarkdownRenderer();
