/**
 * The context page: creates its parts, dispatches the host's messages to them, and sends requests to the host. In a
 * webview that is the extension host, in an exported page the session that is embedded in it.
 */
import { SessionError } from '../../core/format/entry/problem';
import { localizeProblem } from '../shared/localization';
import { exportedHost } from './embedded/exportedHost';
import { highlighter } from './content/highlightCode';
import { ArticleStore } from './messages/articleStore';
import { h } from './ui/dom';
import { findPart } from './find/findPart';
import { navigationPart } from './shell/navigationMenu';
import { headerPart } from './shell/headerPart';
import type { PageHost } from './shell/pageHost';
import { PageState } from './shell/pageState';
import { webviewHost, type WebviewApi } from './shell/webviewHost';
import { messagesPart } from './messages/messagesPart';
import { branchSwitchPart } from './shell/branchSwitchNotice';
import { overviewPart } from './overview/overviewPart';
import { dispatchMessage, type PagePart } from './shell/pagePart';
import { PathLinks } from './content/pathLinks';
import { MarkdownPreparer } from './markdown/markdownPreparer';
import { FoldStates } from './shell/foldStates';
import type { PageContext } from './shell/pageContext';
import { enableScrollKeys } from './messages/scrollKeys';

/** Absent outside of webviews. */
declare const acquireVsCodeApi: (() => WebviewApi) | undefined;

function start(host: PageHost): void {
  const { send } = host;
  let parts: readonly PagePart[] | undefined;

  host.listen((message) => {
    if (message.type === 'open') parts ??= createParts(host);
    for (const part of parts ?? []) dispatchMessage(part, message);
  });
  // The host opens links after a check; VS Code's own handling is prevented.
  document.body.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    send({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  });
  window.addEventListener('error', (event) => send({ type: 'problem', message: event.message }));
  document.addEventListener('securitypolicyviolation', (event) =>
    send({ type: 'problem', message: `${event.violatedDirective}: ${event.blockedURI}` }),
  );
  window.addEventListener('focus', () => send({ type: 'focus', hasFocus: true }));
  window.addEventListener('blur', () => send({ type: 'focus', hasFocus: false }));
  // For performance measurements.
  performance.mark('ready');
  send({ type: 'ready' });
  send({ type: 'focus', hasFocus: document.hasFocus() });
  // While the host answers.
  setTimeout(highlighter);
}

/** Creates the parts in the order in which they receive messages. */
function createParts(host: PageHost): readonly PagePart[] {
  const { send, actions, hasMenus, imageGone } = host;
  const liveRegion = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  const announce = (text: string): void => liveRegion.replaceChildren(text);
  const state = new PageState(host);
  const context: PageContext = {
    imageGone,
    send,
    actions,
    hasMenus,
    state,
    store: new ArticleStore(),
    folds: new FoldStates(state),
    pathLinks: new PathLinks(send, announce),
    markdown: new MarkdownPreparer(),
    announce,
  };
  const messages = messagesPart(context);
  enableScrollKeys(messages);
  const navigation = navigationPart(context, messages);
  const { side, tools } = host.createFrame(context);
  const header = headerPart(context, messages.switchView, navigation.element, tools);
  const overview = overviewPart(context);
  const find = findPart(context, messages);
  const branchSwitch = branchSwitchPart(context, messages);
  messages.element.prepend(find.element);
  messages.element.append(branchSwitch.element);
  document.body.append(header.element, overview.element, h('div', { class: 'content-area' }, side.element, messages.element), liveRegion);
  return [header, side, messages, overview, find, navigation, branchSwitch];
}

try {
  start(typeof acquireVsCodeApi === 'function' ? webviewHost(acquireVsCodeApi()) : exportedHost());
} catch (error) {
  if (!(error instanceof SessionError)) throw error;
  document.body.append(h('p', { class: 'warning', role: 'alert' }, localizeProblem(error)));
}
