/** The top of the page: which session, where in it, what it holds, what can be done. */
import { VIEW_MODES, type Head, type PageAction, type ViewMode } from '../protocol';
import { WRITES } from './articleView';
import { h, redraw } from './dom';
import { tellMenus } from './entryMenu';
import { goToButton } from './goTo';
import { icon, type IconName } from './icons';
import type { PagePart } from './part';
import type { Room } from './room';

const ACTIONS = [
  ['openMarkdown', 'markdown'],
  ['label', 'label'],
  ['branchHere', 'branch'],
  ['fork', 'fork'],
  ['resume', 'resume'],
] as const satisfies readonly (readonly [PageAction, IconName])[];

/** @param turn what a person does to see the other view; `menu` stays while the rest is drawn anew. */
export function headPart(room: Room, turn: (view: ViewMode) => void, menu: HTMLElement): PagePart {
  const content = h('div');
  const element = h('header', { class: 'head' }, content, menu);
  const show = (head: Head): void => {
    document.title = head.title;
    tellMenus(head);
    // Whenever the session grows; whoever stands on a button stays there.
    redraw(content, drawHead(head, room, turn));
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

function drawHead(head: Head, room: Room, turn: (view: ViewMode) => void): Node[] {
  const { strings } = room;
  const act = (action: PageAction) => (): void => room.send({ type: 'act', action });
  return [
    h(
      'div',
      { class: 'title' },
      h('h1', { dir: 'auto', title: head.title }, head.title),
      h('div', { class: 'buttons', role: 'group', 'aria-label': strings.actions }, goToButton(strings), ...ACTIONS.map(([action, glyph]) => h('button', { class: WRITES.has(action) ? 'button writes' : 'button', type: 'button', title: strings[action], 'data-key': action, onclick: act(action) }, icon(glyph), h('span', { class: 'button-text' }, strings[action])))),
    ),
    h(
      'div',
      { class: 'facts' },
      h('span', { class: 'place', dir: 'auto' }, head.place),
      ...(head.atLeaf ? [] : [h('button', { class: 'link-button', type: 'button', 'data-key': 'leaf', onclick: act('leaf') }, strings.toLeaf)]),
      h('dl', {}, ...head.facts.map((fact) => h('div', { title: fact.hint }, h('dt', {}, fact.name), h('dd', { dir: 'auto' }, fact.value)))),
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
