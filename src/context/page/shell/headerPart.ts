/** The top of the page: which session, where in it, what it holds, what can be done. */
import { VIEW_MODES, type PageHeader, type PageAction, type ViewMode } from '../../shared/protocol';
import { WRITE_ACTIONS } from '../messages/articleView';
import { h, redraw } from '../ui/dom';
import { setMenuContext } from './entryMenu';
import { navigationButton } from './navigationMenu';
import { icon, type IconName } from '../ui/icons';
import type { PagePart } from './pagePart';
import type { PageContext } from './pageContext';

const ACTIONS = [
  ['openMarkdown', 'markdown'],
  ['label', 'label'],
  ['branchHere', 'branch'],
  ['fork', 'fork'],
  ['resume', 'resume'],
] as const satisfies readonly (readonly [PageAction, IconName])[];

/** @param turn what a person does to see the other view; `menu` stays while the rest is drawn anew. */
export function headerPart(room: PageContext, turn: (view: ViewMode) => void, menu: HTMLElement): PagePart {
  const content = h('div');
  const element = h('header', { class: 'header' }, content, menu);
  const show = (head: PageHeader): void => {
    document.title = head.title;
    setMenuContext(head);
    // Whenever the session grows; whoever stands on a button stays there.
    redraw(content, drawHeader(head, room, turn));
  };
  return {
    element,
    receive: {
      open: ({ head }) => show(head),
      update: ({ head }) => show(head),
      failed: ({ message }) => {
        content.querySelector('.warning')?.remove();
        content.append(h('p', { class: 'warning', role: 'alert' }, message));
      },
    },
  };
}

function drawHeader(head: PageHeader, room: PageContext, turn: (view: ViewMode) => void): Node[] {
  const { strings } = room;
  const act = (action: PageAction) => (): void => room.send({ type: 'act', action });
  return [
    h(
      'div',
      { class: 'title' },
      h('h1', { dir: 'auto', title: head.title }, head.title),
      h('div', { class: 'buttons', role: 'group', 'aria-label': strings.actions }, navigationButton(strings), ...ACTIONS.map(([action, glyph]) => h('button', { class: WRITE_ACTIONS.has(action) ? 'button write-action' : 'button', type: 'button', title: strings[action], 'data-key': action, onclick: act(action) }, icon(glyph), h('span', { class: 'button-text' }, strings[action])))),
    ),
    h(
      'div',
      { class: 'header-fields' },
      h('span', { class: 'location', dir: 'auto' }, head.location),
      ...(head.atLeaf ? [] : [h('button', { class: 'link-button', type: 'button', 'data-key': 'leaf', onclick: act('leaf') }, strings.toLeaf)]),
      h('dl', {}, ...head.fields.map((fact) => h('div', { title: fact.hint }, h('dt', {}, fact.name), h('dd', { dir: 'auto' }, fact.value)))),
      h(
        'div',
        { class: 'segments', role: 'group', 'aria-label': strings.view },
        ...VIEW_MODES.map((view) => {
          const [name, hint] = strings.views[view];
          return h('button', { class: 'segment', type: 'button', title: hint, 'aria-pressed': String(view === head.view), 'data-key': view, onclick: () => view !== head.view && turn(view) }, name);
        }),
      ),
    ),
    ...(head.note === '' ? [] : [h('p', { class: 'note' }, head.note)]),
    ...(head.problems === undefined ? [] : [h('p', { class: 'problems', dir: 'auto', title: head.problems }, icon('warning'), h('span', {}, head.problems))]),
    ...(head.warning === undefined ? [] : [h('p', { class: 'warning', role: 'alert' }, head.warning)]),
  ];
}
