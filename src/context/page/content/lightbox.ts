/** Shows an image as large as the page, over it. */
import { t } from '../../shared/localization';
import { h } from '../ui/dom';
import { iconButton } from '../ui/iconButton';

/** Opens an image. The browser closes the dialog on Escape, and returns the focus. */
export function openLightbox(image: HTMLImageElement): void {
  const close = iconButton(t('Close (Escape)'), 'error', () => dialog.close());
  const dialog = h('dialog', { class: 'lightbox', 'aria-label': image.alt }, h('img', { alt: image.alt, src: image.src }), close);
  dialog.addEventListener('click', ({ target }) => {
    if (target !== close) dialog.close();
  });
  // The button is the only control. Without this, the focus would move on to the window.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') event.preventDefault();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
