/** Markdown as the page draws it, with coloured code. */
import { markdownRenderer } from '../markdown';
import { highlight } from './highlight';

export { isSafeLink } from '../markdown';

/** Markdown → HTML, which goes through `sanitize` before it is drawn. */
export const renderMarkdown = markdownRenderer(highlight);
