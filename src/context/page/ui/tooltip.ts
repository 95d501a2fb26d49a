/**
 * Tooltips on hover and focus, styled like the editor's hovers. Hidden from screen readers, because labels have the
 * same text.
 */
import { h } from './dom';

/**
 * Shows `text` as a tooltip on hover and keyboard focus.
 * @returns the element.
 */
export function withTooltip<E extends HTMLElement>(element: E, text: string): E {
  const show = (): void => showTooltip(element, text);
  element.addEventListener('pointerenter', show);
  element.addEventListener('focus', () => {
    if (element.matches(':focus-visible')) show();
  });
  element.addEventListener('pointerleave', hideTooltip);
  element.addEventListener('blur', hideTooltip);
  return element;
}

/** Shows the tooltip below the element's center, or `x` pixels from its left edge, within the page. */
export function showTooltip(element: HTMLElement, text: string, x?: number): void {
  const tip =
    document.querySelector<HTMLElement>('.tooltip') ?? document.body.appendChild(h('div', { class: 'tooltip', 'aria-hidden': 'true' }));
  const box = element.getBoundingClientRect();
  tip.textContent = text;
  tip.hidden = false;
  const middle = box.left + (x ?? box.width / 2);
  const half = tip.offsetWidth / 2;
  tip.style.left = `${Math.max(4, Math.min(middle - half, document.documentElement.clientWidth - half * 2 - 4))}px`;
  tip.style.top = `${box.bottom + 6}px`;
}

export function hideTooltip(): void {
  const tip = document.querySelector<HTMLElement>('.tooltip');
  if (tip) tip.hidden = true;
}
