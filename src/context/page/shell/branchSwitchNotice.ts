/** A notice that the session continued on another branch, with a button that returns to the previous one. */
import { t } from '../../shared/localization';
import type { MessagesPart } from '../messages/messagesPart';
import type { PagePart } from './pagePart';
import { h } from '../ui/dom';
import { iconButton } from '../ui/iconButton';
import type { PageContext } from './pageContext';

export function branchSwitchPart({ send, announce }: PageContext, { main }: Pick<MessagesPart, 'main'>): PagePart {
  /** The previous leaf. */
  let leftLeaf: string | undefined;
  const close = (): void => {
    if (element.contains(document.activeElement)) main.focus({ preventScroll: true });
    element.hidden = true;
  };
  const back = (): void => {
    if (leftLeaf !== undefined) send({ type: 'runAction', action: 'contextHere', entryId: leftLeaf });
    close();
  };
  const element = h(
    'aside',
    { class: 'branch-switch-notice', 'aria-label': t('Branches'), hidden: true },
    h('span', {}, t('The session moved to another branch, which is now shown.')),
    h('button', { class: 'link-button', type: 'button', onclick: back }, t('Go Back')),
    iconButton(t('Close'), 'error', close),
  );
  return {
    element,
    receive: {
      open: close,
      update: ({ abandonedLeaf }) => {
        if (abandonedLeaf === undefined) return;
        leftLeaf = abandonedLeaf;
        element.hidden = false;
        announce(t('The session moved to another branch, which is now shown.'));
      },
    },
  };
}
