/**
 * Prints the whole conversation, of which the page has only what is in sight. The browser doesn't wait for what a page
 * does before a print, but it finishes the page's promises first, and all articles come from memory by promises alone.
 */
import { t } from '../../shared/localization';
import { drawArticle } from '../messages/articleView';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { EmbeddedHost } from './embeddedHost';

/** Returns a button that prints. The browser's own command prints the same. */
export function printButton(host: EmbeddedHost, context: PageContext): HTMLElement {
  let sheet: HTMLElement | undefined;
  const prepare = async (): Promise<void> => {
    const drawn = (sheet = h('div', { class: 'print-sheet' }));
    for await (const { from, articles } of host.articles()) {
      for (const [offset, article] of articles.entries()) {
        const element = drawArticle(article, from + offset, context);
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
