/** Second line of defense after `renderMarkdown`: an allowlist of elements and attributes. */
import DOMPurify, { type Config } from 'dompurify';
import { isSafeLink } from './renderMarkdown';

const ALLOWED: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    'p',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'span',
    'em',
    'strong',
    's',
    'a',
    'br',
    'hr',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'dir', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Converts HTML to nodes that can't run scripts or load anything. */
export function sanitizeHtml(html: string): DocumentFragment {
  // With `dir="auto"`, the browser scans all text of an element again for each added node: seconds for 16,000. So it is
  // set afterwards.
  const fragment = DOMPurify.sanitize(html.replaceAll(' dir="auto"', ''), ALLOWED);
  for (const block of fragment.querySelectorAll('p, h3, h4, h5, h6, th, td')) block.setAttribute('dir', 'auto');
  // The browser's `auto` ignores the text in elements with an explicit direction.
  for (const block of fragment.querySelectorAll('ul, ol, blockquote, table')) block.setAttribute('dir', directionOf(block.textContent));
  for (const link of fragment.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (isSafeLink(href)) {
      link.title = href;
      link.rel = 'noreferrer';
    } else link.replaceWith(...link.childNodes);
  }
  return fragment;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns the direction of the first letter. */
function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
