/**
 * Handles keys that scroll far. The browser's smooth scrolling would stop early if a message on the way turns out
 * longer than estimated.
 */
import type { MessagesPart } from './messagesPart';

/** Pixels that stay visible after scrolling by a page. */
const OVERLAP = 40;

export function enableScrollKeys({ list, main }: Pick<MessagesPart, 'list' | 'main'>): void {
  const page = (by: 1 | -1): void => main.scrollBy({ top: by * Math.max(OVERLAP, main.clientHeight - OVERLAP), behavior: 'instant' });
  const keys: Readonly<Record<string, () => void>> = {
    Home: () => list.show({ index: 0, offset: 0 }),
    End: () => list.toEnd(),
    PageUp: () => page(-1),
    PageDown: () => page(1),
  };
  main.addEventListener('keydown', (event) => {
    const scroll = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!scroll || event.altKey || event.shiftKey || event.metaKey) return;
    event.preventDefault();
    scroll();
  });
}
