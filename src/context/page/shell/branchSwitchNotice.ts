/** A word that a session which is followed went on on another branch, and the way back to the one that was read. */
import type { MessagesPart } from '../messages/messagesPart';
import type { PagePart } from './pagePart';
import { h } from '../ui/dom';
import { iconButton } from '../ui/iconButton';
import type { PageContext } from './pageContext';

export function branchSwitchPart({ strings, send, announce: say }: PageContext, { main }: Pick<MessagesPart, 'main'>): PagePart {
  /** The entry that was the leaf. */
  let from: string | undefined;
  const close = (): void => {
    if (element.contains(document.activeElement)) main.focus({ preventScroll: true });
    element.hidden = true;
  };
  const back = (): void => {
    if (from !== undefined) send({ type: 'act', action: 'contextHere', entryId: from });
    close();
  };
  const element = h(
    'aside',
    { class: 'branch-switch-notice', 'aria-label': strings.branches, hidden: true },
    h('span', {}, strings.branchSwitched),
    h('button', { class: 'link-button', type: 'button', onclick: back }, strings.branchSwitchBack),
    iconButton(strings.dismiss, 'error', close),
  );
  return {
    element,
    receive: {
      open: close,
      update: ({ movedFrom }) => {
        if (movedFrom === undefined) return;
        from = movedFrom;
        element.hidden = false;
        say(strings.branchSwitched);
      },
    },
  };
}
