/** The page's header: session, position, fields and actions. */
import { t } from '../../shared/localization';
import { actionName } from './names';
import { VIEW_MODES, type PageHeader, type PageAction, type ViewMode } from '../../shared/protocol';
import { areHiddenShown, showHidden } from '../content/articleParts';
import { WRITE_ACTIONS } from '../messages/articleView';
import { h, redraw } from '../ui/dom';
import { setMenuContext } from './entryMenu';
import { navigationButton } from './navigationMenu';
import { icon, type IconName } from '../ui/icons';
import type { PagePart } from './pagePart';
import type { PageContext } from './pageContext';

const ACTIONS = [
  ['openMarkdown', 'markdown'],
  ['exportSession', 'export'],
  ['label', 'label'],
  ['branchHere', 'branch'],
  ['fork', 'fork'],
  ['resume', 'resume'],
] as const satisfies readonly (readonly [PageAction, IconName])[];

/**
 * @param switchView called when the user selects the other view.
 * @param menu an element that is kept when the header is redrawn.
 * @param tools buttons in addition to the buttons of actions; they are kept, too.
 */
export function headerPart(
  context: PageContext,
  switchView: (view: ViewMode) => void,
  menu: HTMLElement,
  tools: readonly HTMLElement[],
): PagePart {
  const content = h('div', { class: 'header-content' });
  const element = h('header', { class: 'header' }, content, menu);
  const show = (header: PageHeader): void => {
    document.title = header.title;
    setMenuContext(header);
    // Called whenever the session grows. A focused button keeps the focus.
    redraw(content, drawHeader(header, context, switchView, tools));
    fitWords(content);
  };
  // The words change the height of the content, which therefore isn't observed itself.
  new ResizeObserver(() => fitWords(content)).observe(document.body);
  return {
    element,
    receive: {
      open: ({ header }) => show(header),
      update: ({ header }) => show(header),
      failed: ({ message }) => {
        content.querySelector('.warning')?.remove();
        content.append(h('p', { class: 'warning', role: 'alert' }, message));
      },
    },
  };
}

/**
 * Takes the words from the buttons, first from some and then from all, if the title has no room beside them. How much they
 * take depends on the language.
 */
function fitWords(content: HTMLElement): void {
  const title = content.querySelector('h1');
  const buttons = content.querySelector<HTMLElement>('.buttons');
  if (!title || !buttons) return;
  const hasRoom = (): boolean =>
    title.clientWidth >= Math.min(title.scrollWidth, content.clientWidth * TITLE_SHARE) &&
    buttons.offsetTop < title.offsetTop + title.offsetHeight;
  for (const words of ['all', 'some', 'none']) {
    content.dataset['words'] = words;
    if (hasRoom()) return;
  }
}

/** The part of the width that a long title gets before the words of the buttons. */
const TITLE_SHARE = 0.4;

/** Draws the button that unfolds hidden messages. */
function hiddenButton(context: PageContext): HTMLElement {
  const [name, title] = [t('Hidden messages'), t('Show messages that extensions added for the model only')];
  const isPressed = areHiddenShown(context);
  const button = h(
    'button',
    { class: 'link-button', type: 'button', title, 'aria-pressed': String(isPressed), 'data-key': 'hidden' },
    name,
  );
  button.addEventListener('click', () => {
    showHidden(!areHiddenShown(context), context);
    button.setAttribute('aria-pressed', String(areHiddenShown(context)));
  });
  return button;
}

const VIEWS: Readonly<Record<ViewMode, () => readonly [name: string, hint: string]>> = {
  model: () => [t('Model view'), t('The messages that the model sees here')],
  transcript: () => [t('Full transcript'), t('Every entry on this branch, including what the model no longer sees')],
};

/** Says that the session's program runs, or waits. */
function stateBadge(state: 'running' | 'waiting'): HTMLElement {
  const [name, hint] =
    state === 'running'
      ? [t('running'), t('A program is working on this session')]
      : [t('needs input'), t('The program waits for your next message')];
  return h('span', { class: `run-state ${state}`, title: hint, role: 'status' }, name);
}

function drawHeader(header: PageHeader, context: PageContext, switchView: (view: ViewMode) => void, tools: readonly HTMLElement[]): Node[] {
  const run = (action: PageAction) => (): void => context.send({ type: 'runAction', action });
  return [
    h(
      'div',
      { class: 'title' },
      h('h1', { dir: 'auto', title: header.title }, header.title),
      h(
        'div',
        { class: 'buttons', role: 'group', 'aria-label': t('Actions') },
        navigationButton(),
        ...tools,
        ...ACTIONS.filter(([action]) => context.actions.has(action)).map(([action, glyph]) =>
          h(
            'button',
            {
              class: WRITE_ACTIONS.has(action) ? 'button write-action' : 'button',
              type: 'button',
              title: actionName(action),
              'data-key': action,
              onclick: run(action),
            },
            icon(glyph),
            h('span', { class: 'button-text' }, actionName(action)),
          ),
        ),
      ),
    ),
    h(
      'div',
      { class: 'header-fields' },
      ...(header.state === undefined ? [] : [stateBadge(header.state)]),
      h('span', { class: 'location', dir: 'auto', title: header.location }, header.location),
      ...(header.atLeaf
        ? []
        : [h('button', { class: 'link-button', type: 'button', 'data-key': 'leaf', onclick: run('leaf') }, actionName('leaf'))]),
      ...(header.isSubagent && context.actions.has('goToCall')
        ? [h('button', { class: 'link-button', type: 'button', 'data-key': 'call', onclick: run('goToCall') }, actionName('goToCall'))]
        : []),
      h(
        'dl',
        {},
        ...header.fields.map((field) => h('div', { title: field.hint }, h('dt', {}, field.name), h('dd', { dir: 'auto' }, field.value))),
      ),
      h(
        'div',
        { class: 'segments', role: 'group', 'aria-label': t('View') },
        ...VIEW_MODES.map((view) => {
          const [name, hint] = VIEWS[view]();
          return h(
            'button',
            {
              class: 'segment',
              type: 'button',
              title: hint,
              'aria-pressed': String(view === header.view),
              'data-key': view,
              onclick: () => view !== header.view && switchView(view),
            },
            name,
          );
        }),
      ),
      ...(header.hasHiddenMessages ? [hiddenButton(context)] : []),
    ),
    ...(header.note === '' ? [] : [h('p', { class: 'note', title: header.note }, header.note)]),
    ...(header.problems === undefined
      ? []
      : [h('p', { class: 'problems', dir: 'auto', title: header.problems }, icon('warning'), h('span', {}, header.problems))]),
    ...(header.warning === undefined ? [] : [h('p', { class: 'warning', role: 'alert' }, header.warning)]),
  ];
}
