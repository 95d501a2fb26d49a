/** The context page: makes its parts, hands them what the host says, and says what the person wants. */
import type { FromPage, PageStrings, ToPage } from '../protocol';
import { ArticleStore } from './articleStore';
import { h } from './dom';
import { findPart } from './find';
import { goToPart } from './goTo';
import { headPart } from './headView';
import { Kept, type StateStore } from './kept';
import { messagesPart } from './messages';
import { movedPart } from './moved';
import { overviewPart } from './overviewPart';
import { hand, type PagePart } from './part';
import { PathLinks } from './pathLinks';
import { picturePart } from './picture';
import { Prose } from './prose';
import { Folds, type Room } from './room';
import { scrollByKeys } from './scrollKeys';

declare function acquireVsCodeApi(): StateStore & { postMessage(message: FromPage): void };

function start(): void {
  const vscode = acquireVsCodeApi();
  const send = (message: FromPage): void => vscode.postMessage(message);
  let parts: readonly PagePart[] | undefined;

  window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'open') parts ??= makeParts(vscode, send, data.strings);
    for (const part of parts ?? []) hand(part, data);
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
function makeParts(vscode: StateStore, send: Room['send'], strings: PageStrings): readonly PagePart[] {
  const live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  const say = (text: string): void => live.replaceChildren(text);
  const kept = new Kept(vscode);
  const room: Room = { strings, send, kept, store: new ArticleStore(), folds: new Folds(kept), paths: new PathLinks(send, strings, say), prose: new Prose(), say };
  const messages = messagesPart(room);
  scrollByKeys(messages);
  const goTo = goToPart(room, messages);
  const head = headPart(room, messages.turn, goTo.element);
  const overview = overviewPart(room);
  const picture = picturePart(room);
  const find = findPart(room, messages);
  const moved = movedPart(room, messages);
  messages.element.prepend(find.element);
  messages.element.append(moved.element);
  document.body.append(head.element, overview.element, h('div', { class: 'desk' }, picture.element, messages.element), live);
  return [head, picture, messages, overview, find, goTo, moved];
}

start();
