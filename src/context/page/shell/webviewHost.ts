/** The extension host, as a webview reaches it. */
import { PAGE_ACTIONS, type FromPage, type ToPage } from '../../shared/protocol';
import { branchesPart } from '../branches/branchesPart';
import type { PageHost } from './pageHost';
import type { StateStore } from './pageState';

export type WebviewApi = StateStore & { postMessage(message: FromPage): void };

export const webviewHost = (api: WebviewApi): PageHost => ({
  getState: () => api.getState(),
  setState: (state) => api.setState(state),
  send: (message) => api.postMessage(message),
  listen: (listener) => window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => listener(data)),
  actions: new Set(PAGE_ACTIONS),
  hasMenus: true,
  createFrame: (context) => ({ side: branchesPart(context), tools: [] }),
});
