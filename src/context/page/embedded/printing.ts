/**
 * Prints the whole conversation, of which the page has only what is in sight. The browser doesn't wait for what a page
 * does before a print, but it finishes the page's promises first, and all articles come from memory by promises alone.
 */
import { formatNumber } from '../../shared/formatNumbers';
import { t, translate } from '../../shared/localization';
import { drawArticle } from '../messages/articleView';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { EmbeddedHost } from './embeddedHost';

/** Folds that are printed unfolded. Those of prompts, tools and hidden messages are printed as the reader left them. */
const UNFOLDED = '.fold:is(.tool, .thinking):not([open])';
/** Folds that a print unfolds. More would be hundreds of pages, and the browser would take minutes for them. */
const MAX_UNFOLDED = 1000;

/** Unfolds thinking, calls and their results, and the folds within them, up to a number of folds. Returns how many it unfolded. */
function unfold(article: HTMLElement, limit: number): number {
  let count = 0;
  for (let folds = foldsIn(article, limit); folds.length > 0; folds = foldsIn(article, limit - count)) {
    for (const fold of folds) fold.dispatchEvent(new Event('unfold'));
    count += folds.length;
  }
  return count;
}

const foldsIn = (article: HTMLElement, limit: number): Element[] => [...article.querySelectorAll(UNFOLDED)].slice(0, limit);

/** Replaces the buttons in the middle of long texts by notes, since paper has none. */
function noteOmissions(article: HTMLElement): void {
  for (const button of article.querySelectorAll<HTMLElement>('.show-more[data-hidden]')) {
    const note = translate('{characters} characters are left out here', { characters: formatNumber(Number(button.dataset['hidden'])) });
    button.replaceWith(h('p', { class: 'muted' }, `[… ${note} …]`));
  }
}

/** Returns a button that prints. The browser's own command prints the same. */
export function printButton(host: EmbeddedHost, context: PageContext): HTMLElement {
  let sheet: HTMLElement | undefined;
  // Keeps what is unfolded on paper out of the state of the page.
  const folds = { isOpen: (key: string, byDefault: boolean) => context.folds.isOpen(key, byDefault), set: () => undefined };
  const prepare = async (): Promise<void> => {
    let left = MAX_UNFOLDED;
    const drawn = (sheet = h('div', { class: 'print-sheet' }));
    for await (const { from, articles } of host.articles()) {
      for (const [offset, article] of articles.entries()) {
        const element = drawArticle(article, from + offset, { ...context, folds });
        left -= unfold(element, left);
        noteOmissions(element);
        for (const image of element.querySelectorAll<HTMLImageElement>('img[data-image]')) {
          const src = await host.image(from + offset, Number(image.dataset['image']));
          if (src !== undefined) image.src = src;
        }
        drawn.append(element);
      }
    }
    document.body.append(drawn);
  };
  window.addEventListener('beforeprint', () => {
    if (!sheet) void prepare();
  });
  window.addEventListener('afterprint', () => {
    sheet?.remove();
    sheet = undefined;
  });
  const print = (): void => void prepare().then(() => window.print());
  const name = t('Print');
  return h(
    'button',
    { class: 'button', type: 'button', title: name, 'data-key': 'print', onclick: print },
    icon('print'),
    h('span', { class: 'button-text' }, name),
  );
}
