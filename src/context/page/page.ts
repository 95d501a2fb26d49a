/** The context page: creates its parts, dispatches the host's messages to them, and sends requests to the host. */
import type { FromPage, PageStrings, ToPage } from '../shared/protocol';
import { ArticleStore } from './messages/articleStore';
import { h } from './ui/dom';
import { findPart } from './find/findPart';
import { navigationPart } from './shell/navigationMenu';
import { headerPart } from './shell/headerPart';
import { PageState, type StateStore } from './shell/pageState';
import { messagesPart } from './messages/messagesPart';
import { branchSwitchPart } from './shell/branchSwitchNotice';
import { overviewPart } from './overview/overviewPart';
import { dispatchMessage, type PagePart } from './shell/pagePart';
import { PathLinks } from './content/pathLinks';
import { branchesPart } from './branches/branchesPart';
import { MarkdownPreparer } from './markdown/markdownPreparer';
import { FoldStates } from './shell/foldStates';
import type { PageContext } from './shell/pageContext';
import { enableScrollKeys } from './messages/scrollKeys';

declare function acquireVsCodeApi(): StateStore & { postMessage(message: FromPage): void };

function start(): void {
  const vscode = acquireVsCodeApi();
  const send = (message: FromPage): void => vscode.postMessage(message);
  let parts: readonly PagePart[] | undefined;

  window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'open') parts ??= createParts(vscode, send, data.strings);
    for (const part of parts ?? []) dispatchMessage(part, data);
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
  // For performance measurements.
  performance.mark('ready');
  send({ type: 'ready' });
}

/** Creates the parts in the order in which they receive messages. */
function createParts(vscode: StateStore, send: PageContext['send'], strings: PageStrings): readonly PagePart[] {
  const liveRegion = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  const announce = (text: string): void => liveRegion.replaceChildren(text);
  const state = new PageState(vscode);
  const context: PageContext = {
    strings,
    send,
    state,
    store: new ArticleStore(),
    folds: new FoldStates(state),
    pathLinks: new PathLinks(send, strings, announce),
    markdown: new MarkdownPreparer(),
    announce,
  };
  const messages = messagesPart(context);
  enableScrollKeys(messages);
  const navigation = navigationPart(context, messages);
  const header = headerPart(context, messages.switchView, navigation.element);
  const overview = overviewPart(context);
  const branches = branchesPart(context);
  const find = findPart(context, messages);
  const branchSwitch = branchSwitchPart(context, messages);
  messages.element.prepend(find.element);
  messages.element.append(branchSwitch.element);
  document.body.append(
    header.element,
    overview.element,
    h('div', { class: 'content-area' }, branches.element, messages.element),
    liveRegion,
  );
  return [header, branches, messages, overview, find, navigation, branchSwitch];
}

start();
