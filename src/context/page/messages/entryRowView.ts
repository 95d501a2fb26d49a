/** Draws an entry row: one line, and details in a fold. */
import { t } from '../../shared/localization';
import type { Article, EntryRow } from '../../shared/protocol';
import { h } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import { entryMenuContext, menuButton } from '../shell/entryMenu';
import { drawPart, entryLink, entryName, drawFold } from '../content/articleParts';
import type { PageContext } from '../shell/pageContext';
import { entryActions } from './entryActions';
import { timeElement } from '../ui/timeElement';

const ICONS: Readonly<Record<EntryRow['kind'], IconName>> = {
  label: 'label',
  model: 'model',
  thinking: 'thinking',
  compaction: 'compact',
  branch: 'branch',
  edit: 'edit',
  name: 'label',
  extension: 'extension',
  reset: 'compact',
  prompt: 'context',
  other: 'dot',
};

export function drawEntryRow(article: Article, row: EntryRow, index: number, context: PageContext): HTMLElement {
  const time = timeElement(article.time);
  const text = h('span', { class: 'row-text', dir: 'auto', 'data-find': 'row' }, row.text);
  const { targetId } = row;
  const go = (): void => {
    if (targetId !== undefined) context.send({ type: 'go', entryId: targetId });
  };
  const isFold = article.parts.length > 0;
  const line: Node[] = [
    icon(ICONS[row.kind]),
    targetId === undefined || isFold ? text : h('button', { class: 'row-link', type: 'button', onclick: go }, text),
    ...(article.label === undefined
      ? []
      : [h('span', { class: 'label', dir: 'auto' }, icon('label'), h('span', { 'data-find': 'label' }, article.label))]),
    ...(time ? [time] : []),
  ];
  // Not in the fold's summary: a control can't contain others.
  const targetLink =
    targetId !== undefined && isFold ? [h('button', { class: 'entry-link', type: 'button', onclick: go }, `→ ${entryName(targetId)}`)] : [];
  const actions = entryActions(t('Actions'), () => [...targetLink, entryLink(article.entryId, context), ...menuButton(context)]);
  const location = { key: article.key, index, entryId: article.entryId };
  const content = (): Node[] => article.parts.map((part, at) => drawPart(part, String(at), location, context));
  return h(
    'article',
    {
      class: 'article entry-row',
      'data-kind': row.kind,
      'data-status': article.contextStatus,
      'aria-label': row.text,
      tabindex: -1,
      'data-entry': article.entryId,
      'data-vscode-context': entryMenuContext(article.entryId, { isLabeled: article.label !== undefined }),
    },
    isFold
      ? drawFold({ key: `${location.key}/row`, isOpenByDefault: false, kind: 'row-fold' }, line, content, context)
      : h('div', { class: 'row-line' }, ...line),
    actions,
  );
}
