/** One article: who spoke when, what, and what can be done with it. */
import type { Article, PageAction } from '../protocol';
import { fill, h } from './dom';
import { fateMark } from './fateMark';
import { entryContext, menuButton } from './entryMenu';
import { iconButton } from './iconButton';
import { icon, type IconName } from './icons';
import { drawPart, entryLink } from './parts';
import { drawRow } from './rowView';
import { timeElement } from './time';
import type { Room } from './room';

export function drawArticle(article: Article, index: number, room: Room): HTMLElement {
  if (article.row) return drawRow(article, article.row, index, room);
  const { strings } = room;
  const kind = strings.kinds[article.kind];
  const time = timeElement(article.time);
  const name = article.name === undefined ? kind : `${kind}: ${article.name}`;
  const label = [name, time?.textContent, article.fate && strings.fates[article.fate][0]].filter((part) => part !== undefined).join(', ');
  const place = { key: article.key, index, entryId: article.entryId };
  const about = [article.model, article.usage, article.stopReason === undefined ? undefined : fill(strings.stopped, article.stopReason)].filter((text) => text !== undefined);
  return h(
    'article',
    { class: `article ${article.kind}${article.again && !isMarked(article) ? ' again' : ''}`, 'data-fate': article.fate, 'aria-label': label, tabindex: -1, 'data-entry': article.entryId, 'data-vscode-context': entryContext(article.entryId, { isLabeled: article.label !== undefined && article.labelId === undefined }) },
    ...(article.line === undefined ? [] : [h('p', { class: 'cut' }, h('span', {}, article.line))]),
    h(
      'header',
      { class: 'who' },
      h('h2', { class: 'role' }, name),
      ...(time ? [time] : []),
      ...(article.label === undefined ? [] : [h('span', { class: 'label', dir: 'auto', 'data-vscode-context': entryContext(article.labelId ?? article.entryId, { isLabeled: true }) }, icon('label'), h('span', { 'data-find': 'label' }, article.label))]),
      ...(article.fate === undefined ? [] : [fateMark(article.fate, article.entryId, room)]),
      h('span', { class: 'about' }, ...about.flatMap((text, at) => [...(at === 0 ? [] : [' · ']), h('bdi', {}, text)])),
      h('span', { class: 'actions', role: 'group', 'aria-label': strings.actions }, entryLink(article.entryId, room), ...ACTIONS.map(([action, glyph]) => actionButton(action, glyph, article.entryId, room)), menuButton(room)),
    ),
    h('div', { class: 'body' }, ...article.parts.map((part, at) => drawPart(part, String(at), place, room))),
  );
}

/** Not offered of sessions to which nothing may be written: `entryMenu` tells the page. */
export const WRITES: ReadonlySet<PageAction> = new Set(['label', 'branchHere']);

/** Whether something is to be said of this very message, so that its line with the name is not hidden. */
const isMarked = ({ fate }: Article): boolean => fate === 'edited' || fate === 'omitted' || fate === 'excluded';

const ACTIONS = [
  ['copyText', 'copy'],
  ['copyLink', 'link'],
  ['reveal', 'tree'],
  ['contextHere', 'context'],
  ['label', 'label'],
  ['branchHere', 'branch'],
] as const satisfies readonly (readonly [PageAction, IconName])[];

function actionButton(action: (typeof ACTIONS)[number][0], glyph: IconName, entryId: string, room: Room): HTMLElement {
  const name = room.strings[action === 'copyText' ? 'copy' : action];
  const button = iconButton(name, glyph, () => room.send({ type: 'act', action, entryId }));
  button.dataset['action'] = action;
  if (WRITES.has(action)) button.classList.add('writes');
  return button;
}

/** What stands where an article will be. */
export function drawPlaceholder(lines: number, room: Room): HTMLElement {
  const box = h('div', { class: 'placeholder', 'aria-busy': 'true' }, h('span', { class: 'hidden' }, room.strings.loading));
  box.style.height = `${lines * LINE}px`;
  return box;
}

/** About the height of a line, in pixels. */
export const LINE = 20;
