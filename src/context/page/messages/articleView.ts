/** Draws an article: header, actions and parts. */
import { t } from '../../shared/localization';
import { actionName, kindName, statusTexts } from '../shell/names';
import type { Article, PageAction } from '../../shared/protocol';
import { formatMessage, h } from '../ui/dom';
import { statusBadge } from '../content/statusBadge';
import { entryMenuContext, menuButton } from '../shell/entryMenu';
import { iconButton } from '../ui/iconButton';
import { icon, type IconName } from '../ui/icons';
import { drawPart, entryLink } from '../content/articleParts';
import { drawAttempts } from './attemptsView';
import { entryActions } from './entryActions';
import { drawEntryRow } from './entryRowView';
import { timeElement } from '../ui/timeElement';
import type { PageContext } from '../shell/pageContext';

export function drawArticle(article: Article, index: number, context: PageContext): HTMLElement {
  if (article.row) return drawEntryRow(article, article.row, index, context);
  const kind = kindName(article.kind);
  const time = timeElement(article.time);
  const name = article.name === undefined ? kind : `${kind}: ${article.name}`;
  const label = [name, time?.textContent, article.contextStatus && statusTexts(article.contextStatus)[0]]
    .filter((part) => part !== undefined)
    .join(', ');
  const location = { key: article.key, index, entryId: article.entryId };
  const details = [
    article.model,
    ...(article.usage ?? []),
    article.duration,
    article.stopReason === undefined ? undefined : stopText(article.stopReason),
  ].filter((text) => text !== undefined);
  return h(
    'article',
    {
      class: `article ${article.kind}${article.isContinuation && !isMarked(article) ? ' is-continuation' : ''}${article.isHidden ? ' is-hidden' : ''}${article.label === undefined ? '' : ' has-label'}`,
      'data-status': article.contextStatus,
      'aria-label': label,
      tabindex: -1,
      'data-entry': article.entryId,
      'data-vscode-context': entryMenuContext(article.entryId, { isLabeled: article.label !== undefined && article.labelId === undefined }),
    },
    ...(article.dividerText === undefined ? [] : [h('p', { class: 'divider' }, h('span', {}, article.dividerText))]),
    ...(article.forks ?? []).map((fork) => drawAttempts(fork, context)),
    h(
      'header',
      { class: 'article-header' },
      h('h2', { class: 'role' }, name),
      ...(time ? [time] : []),
      ...(article.label === undefined
        ? []
        : [
            h(
              'span',
              {
                class: 'label',
                dir: 'auto',
                'data-vscode-context': entryMenuContext(article.labelId ?? article.entryId, { isLabeled: true }),
              },
              icon('label'),
              h('span', { 'data-find': 'label' }, article.label),
            ),
          ]),
      ...(article.contextStatus === undefined ? [] : [statusBadge(article.contextStatus, article.entryId, context)]),
      h('span', { class: 'article-details' }, ...details.flatMap((text, at) => [...(at === 0 ? [] : [' · ']), h('bdi', {}, text)])),
      entryActions(t('Actions'), () => [
        entryLink(article.entryId, context),
        ...ACTIONS.filter(([action]) => context.actions.has(action)).map(([action, glyph]) =>
          actionButton(action, glyph, article.entryId, context),
        ),
        ...menuButton(context),
      ]),
    ),
    h('div', { class: 'body' }, ...article.parts.map((part, at) => drawPart(part, String(at), location, context))),
  );
}

/** Says why an answer isn't whole. */
const stopText = (stopReason: string): string =>
  stopReason === 'deferred'
    ? t('Deferred: the provider delivers the answer later')
    : formatMessage(t({ message: 'ended early: {0}', comment: 'Why the response stopped, in the words of the provider' }), stopReason);

/** Hidden by CSS while the session isn't writable; see `setMenuContext`. */
export const WRITE_ACTIONS: ReadonlySet<PageAction> = new Set(['label', 'branchHere']);

/**
 * Returns true if the header says something about this message alone, so that it must not be hidden: a status, or the
 * fact that the answer ended early if no error below says so.
 */
const isMarked = ({ contextStatus: status, stopReason, parts }: Article): boolean =>
  status === 'edited' ||
  status === 'omitted' ||
  status === 'excluded' ||
  (stopReason !== undefined && !parts.some(({ kind }) => kind === 'error'));

const ACTIONS = [
  ['copyText', 'copy'],
  ['copyLink', 'link'],
  ['reveal', 'tree'],
  ['contextHere', 'context'],
  ['label', 'label'],
  ['branchHere', 'branch'],
] as const satisfies readonly (readonly [PageAction, IconName])[];

function actionButton(action: (typeof ACTIONS)[number][0], glyph: IconName, entryId: string, context: PageContext): HTMLElement {
  const name = actionName(action);
  const button = iconButton(name, glyph, () => context.send({ type: 'runAction', action, entryId }));
  button.dataset['action'] = action;
  if (WRITE_ACTIONS.has(action)) button.classList.add('write-action');
  return button;
}

/** Draws a placeholder for an article. */
export function drawPlaceholder(lines: number): HTMLElement {
  const box = h('div', { class: 'placeholder', 'aria-busy': 'true' }, h('span', { class: 'visually-hidden' }, t('Loading…')));
  box.style.height = `${lines * LINE_HEIGHT}px`;
  return box;
}

/** The approximate height of a line in pixels. */
export const LINE_HEIGHT = 20;
