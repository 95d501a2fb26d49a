/** Lets the keyboard reach what scrolls sideways. */

/** Made with the first element: without a browser there is no such class. */
let observer: ResizeObserver | undefined;

/** Makes an element without controls a stop of Tab while it's wider than its place, so that the arrow keys scroll it. */
export function focusWhenScrollable<T extends HTMLElement>(element: T): T {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  observer.observe(element);
  return element;
}
