/** The extension host, as a webview reaches it. */
import { setLocalization, t } from '../../shared/localization';
import { PAGE_ACTIONS, type FromPage, type ToPage } from '../../shared/protocol';
import { branchesPart } from '../branches/branchesPart';
import { embeddedLocalization } from '../embedded/embeddedLocalization';
import { readExportInfo } from '../embedded/exportedSession';
import type { PageHost } from './pageHost';
import type { StateStore } from './pageState';

export type WebviewApi = StateStore & { postMessage(message: FromPage): void };

/** Sets the language of the page, whose texts the host wrote into it. */
export function webviewHost(api: WebviewApi): PageHost {
  setLocalization(embeddedLocalization(readExportInfo()));
  return {
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
    send: (message) => api.postMessage(message),
    listen: (listener) => window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => listener(data)),
    actions: new Set(PAGE_ACTIONS),
    hasMenus: true,
    imageGone: t('This image’s file no longer exists.'),
    createFrame: (context) => ({ side: branchesPart(context), tools: [] }),
  };
}
