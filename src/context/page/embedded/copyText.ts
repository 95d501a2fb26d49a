/** Copies a text, in pages from files too, where some browsers have no clipboard API. */
import { h } from '../ui/dom';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
    const { activeElement } = document;
    box.value = text;
    document.body.append(box);
    box.select();
    // The only way without the API, which needs a permission or a secure address.
    // oxlint-disable-next-line typescript/no-deprecated -- see above
    document.execCommand('copy');
    box.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  }
}
