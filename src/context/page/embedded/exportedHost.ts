/** The exported page's side of the protocol, its tree of all entries, and its buttons. */
import { setLocalization, t } from '../../shared/localization';
import { entryTreePart } from '../entryTree/entryTreePart';
import type { PageHost } from '../shell/pageHost';
import { EmbeddedHost } from './embeddedHost';
import { embeddedLocalization } from './embeddedLocalization';
import { nextTask, readExportedSession, readExportInfo } from './exportedSession';
import { printButton } from './printing';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';

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

const THEMES = ['light', 'dark'] as const;
const KEY = 'theme';

function themeButton({ state }: PageContext): HTMLElement {
  const root = document.documentElement;
  const chosen = THEMES.find((theme) => theme === state.restored(KEY));
  if (chosen) root.dataset['theme'] = chosen;
  state.register(KEY, () => root.dataset['theme']);
  const toggle = (): void => {
    const isDark = (root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    root.dataset['theme'] = isDark ? 'light' : 'dark';
    state.scheduleSave();
  };
  const name = t('Light or Dark');
  return h(
    'button',
    { class: 'button', type: 'button', title: name, 'data-key': KEY, onclick: toggle },
    icon('theme'),
    h('span', { class: 'button-text' }, name),
  );
}
