/** The second door behind `renderMarkdown`: only these elements and attributes come through. */
import DOMPurify, { type Config } from 'dompurify';
import { isSafeLink } from './markdown';

const ALLOWED: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    'p', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'span', 'em', 'strong', 's', 'a', 'br', 'hr',
    'table', 'thead', 'tbody', 'tr', 'th', 'td',
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'dir', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** HTML → nodes that can neither run nor fetch anything. */
export function sanitize(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, ALLOWED);
  for (const link of fragment.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (isSafeLink(href)) {
      link.title = href;
      link.rel = 'noreferrer';
    } else link.replaceWith(...link.childNodes);
  }
  return fragment;
}
