/** The context page: makes its parts, hands them what the host says, and says what the person wants. */
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
import { MarkdownPreparer } from './content/markdownPreparer';
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
  // Links go through the host, which asks first; the editor's own way would open them beside it.
  document.body.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    send({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  });
  window.addEventListener('error', (event) => send({ type: 'problem', message: event.message }));
  document.addEventListener('securitypolicyviolation', (event) => send({ type: 'problem', message: `${event.violatedDirective}: ${event.blockedURI}` }));
  // For those who measure.
  performance.mark('ready');
  send({ type: 'ready' });
}

/** In the order in which they hear of a message; where each stands is said below. */
function createParts(vscode: StateStore, send: PageContext['send'], strings: PageStrings): readonly PagePart[] {
  const live = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  const say = (text: string): void => live.replaceChildren(text);
  const kept = new PageState(vscode);
  const room: PageContext = { strings, send, state: kept, store: new ArticleStore(), folds: new FoldStates(kept), pathLinks: new PathLinks(send, strings, say), markdown: new MarkdownPreparer(), announce: say };
  const messages = messagesPart(room);
  enableScrollKeys(messages);
  const goTo = navigationPart(room, messages);
  const head = headerPart(room, messages.switchView, goTo.element);
  const overview = overviewPart(room);
  const picture = branchesPart(room);
  const find = findPart(room, messages);
  const moved = branchSwitchPart(room, messages);
  messages.element.prepend(find.element);
  messages.element.append(moved.element);
  document.body.append(head.element, overview.element, h('div', { class: 'content-area' }, picture.element, messages.element), live);
  return [head, picture, messages, overview, find, goTo, moved];
}

start();
