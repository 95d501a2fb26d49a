/** Badges on messages that the model doesn't get as they stand. */
import { t } from '../../shared/localization';
import { statusTexts } from '../shell/names';
import type { ShownStatus } from '../../shared/protocol';
import { h } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

/** Draws the badge. On an edited message it is a button that shows the original. */
export function statusBadge(status: ShownStatus, entryId: string, context: PageContext): HTMLElement {
  const [name, sentence] = statusTexts(status);
  if (status !== 'edited') return statusLabel(status);
  return h(
    'button',
    {
      class: 'status-badge',
      type: 'button',
      title: `${sentence} ${t('Show Original in Transcript')}`,
      onclick: () => showOriginal(entryId, context),
    },
    name,
  );
}

/** Draws the badge without a button, for a fold's summary: a control can't contain others. */
export function statusLabel(status: ShownStatus): HTMLElement {
  const [name, sentence] = statusTexts(status);
  return h('span', { class: 'status-badge', title: sentence }, name);
}

/** Shows the original of an edited entry in the transcript. */
export function showOriginal(entryId: string, context: PageContext): void {
  context.send({ type: 'go', entryId, view: 'transcript' });
}
