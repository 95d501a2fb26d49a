/** Markdown as the page draws it. What comes out goes through `sanitize` before it is drawn. */
import { markdown } from '../markdown';

export { isSafeLink } from '../markdown';

export const { html: renderMarkdown, pieces: markdownPieces } = markdown();
