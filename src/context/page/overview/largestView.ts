/** The largest messages, of one kind or of all, as links to them. */
import { formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import { defined } from '../../../core/format/values/defined';
import type { ContextUsagePart, LargestItem } from '../../shared/protocol';
import { formatMessage, h, redraw, roundEstimate } from '../ui/dom';
import { usageLabel } from './usageView';
import type { PageContext } from '../shell/pageContext';

type Kind = Pick<ContextUsagePart, 'kind' | 'tool'>;

interface LargestView {
  readonly element: HTMLElement;
  /** Selects a kind, or all, and requests its messages. */
  readonly load: (part?: Kind) => void;
  /** Requests the messages again, because they may be outdated. */
  readonly refresh: () => void;
  readonly show: (answer: Partial<Kind> & { readonly items: readonly LargestItem[] }) => void;
}

export function largestView(context: PageContext): LargestView {
  const title = h('h2', {}, t('Largest messages'));
  const allButton = h('button', { class: 'link-button', type: 'button', hidden: true, onclick: () => load() }, t('All Kinds'));
  const list = h('ol', { class: 'largest', hidden: true });
  const element = h('section', {}, title, allButton, list);
  /** The kind that is shown; absent for all. */
  let shown: Kind | undefined;
  /** True if the user requested the list, so that it is scrolled into view. */
  let awaited = false;

  const request = (part?: Kind): void => {
    context.send({ type: 'wantLargest', ...(part ? { kind: part.kind } : {}), ...(part?.tool === undefined ? {} : { tool: part.tool }) });
  };
  const load = (part?: Kind): void => {
    shown = part;
    awaited = true;
    request(part);
  };

  return {
    element,
    load,
    refresh: () => request(shown),
    show: ({ kind, tool, items }) => {
      title.textContent =
        kind === undefined
          ? t('Largest messages')
          : formatMessage(t({ message: 'Largest: {0}', comment: 'Kind of message' }), usageLabel({ kind, ...defined({ tool }) }));
      // From the list of one kind, the button returns to all.
      allButton.hidden = kind === undefined;
      list.hidden = false;
      const item = ({ entryId, text, tokens }: LargestItem): HTMLElement =>
        h(
          'li',
          {},
          h(
            'button',
            { class: 'largest-item', type: 'button', 'data-key': entryId, onclick: () => context.send({ type: 'go', entryId }) },
            h('span', { class: 'largest-text', dir: 'auto' }, text),
            h('span', { class: 'largest-tokens' }, formatNumber(roundEstimate(tokens))),
          ),
        );
      redraw(list, items.length === 0 ? [h('li', { class: 'muted' }, t('The context has nothing of this kind.'))] : items.map(item));
      if (!awaited) return;
      awaited = false;
      element.scrollIntoView({ block: 'nearest' });
      context.announce(title.textContent);
    },
  };
}
