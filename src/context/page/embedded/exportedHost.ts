/** The exported page's side of the protocol, its tree of all entries, and its buttons. */
import { ownValue } from '../../../core/format/entry/jsonValues';
import { formatMessage } from '../../../core/format/entry/problem';
import type { ExportInfo } from '../../../core/format/export/exportInfo';
import { shortTextKey, textKey } from '../../../core/format/text/textKeys';
import { localizationBy, setLocalization, type Localization } from '../../shared/localization';
import { entryTreePart } from '../entryTree/entryTreePart';
import type { PageHost } from '../shell/pageHost';
import { EmbeddedHost } from './embeddedHost';
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
    createFrame: (context) => {
      const side = entryTreePart(context, exported, nextTask);
      return { side, tools: [side.toggle, themeButton(context), printButton(host, context)] };
    },
  };
}

/** Returns the texts of the export's language. */
function embeddedLocalization({ language = 'en', translations = {} }: ExportInfo): Localization {
  return localizationBy(language, ({ message, args = [], comment }) => {
    const key = textKey(message, comment);
    const text = ownValue(translations, shortTextKey(key)) ?? ownValue(translations, key);
    return formatMessage(typeof text === 'string' ? text : message, Object.fromEntries(Object.entries(args)));
  });
}
