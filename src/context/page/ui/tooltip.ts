/** A word beside what the pointer or the focus is on, as the editor's own hovers. For eyes only: labels say the same. */
import { h } from './dom';

/** @returns the element, which now tells `text` on hover and focus. */
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

/** Below the middle of the element, or of what is `x` pixels into it, and always inside the page. */
export function showTooltip(element: HTMLElement, text: string, x?: number): void {
  const tip = document.querySelector<HTMLElement>('.tooltip') ?? document.body.appendChild(h('div', { class: 'tooltip', 'aria-hidden': 'true' }));
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
