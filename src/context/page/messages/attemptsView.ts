/** Draws the attempts at a fork: one line, in which each leads to the end of its branch. */
import type { AttemptsLine } from '../../shared/protocol';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';

export function drawAttempts({ title, attempts, more }: AttemptsLine, { send }: PageContext): HTMLElement {
  const items = attempts.map(({ text, tipId }) =>
    tipId === undefined
      ? h('li', { 'aria-current': 'true', dir: 'auto' }, text)
      : h(
          'li',
          {},
          h('button', { class: 'attempt', type: 'button', dir: 'auto', onclick: () => send({ type: 'go', entryId: tipId }) }, text),
        ),
  );
  return h(
    'div',
    { class: 'attempts', role: 'group', 'aria-label': title },
    icon('branch'),
    h('span', { 'aria-hidden': 'true' }, title),
    h('ul', {}, ...items, ...(more === '' ? [] : [h('li', {}, more)])),
  );
}
