/** The exported page's side of the protocol, its tree of all entries, and its buttons. */
import { setLocalization, t } from '../../shared/localization';
import { entryTreePart } from '../entryTree/entryTreePart';
import type { PageHost } from '../shell/pageHost';
import { EmbeddedHost } from './embeddedHost';
import { embeddedLocalization } from './embeddedLocalization';
import { nextTask, readExportedSession, readExportInfo } from './exportedSession';
import { printButton } from './printing';
import { themeButton } from './themeButton';

/** @throws {SessionError} `not-a-session` if the page has no session. */
export function exportedHost(): PageHost {
  const info = readExportInfo();
  setLocalization(embeddedLocalization(info));
  const exported = readExportedSession(info);
  const host = new EmbeddedHost(exported, info);
  return {
    getState: () => history.state as unknown,
    setState: (state) => history.replaceState(state, ''),
    send: (message) => host.send(message),
    listen: (listener) => host.listen(listener),
    actions: new Set(['copyText', 'copyLink', 'contextHere', 'leaf']),
    hasMenus: false,
    imageGone: t('This image isn’t part of the export.'),
    createFrame: (context) => {
      const side = entryTreePart(context, exported, nextTask);
      return { side, tools: [side.toggle, themeButton(context), printButton(host, context)] };
    },
  };
}
