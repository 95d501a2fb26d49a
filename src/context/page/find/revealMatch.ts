/** Reveals a match: opens its folds, shows its piece of a long text, and scrolls to it. */
import type { MatchLocation } from '../../shared/protocol';
import type { ArticleList } from '../messages/articleList';
import { rangeOf } from './findHighlights';

/** Vertical position of a revealed match, as a share of the view's height. */
const TARGET_POSITION = 0.3;

/** Returns the match's range; `undefined` if its text isn't drawn. */
export function revealMatch(row: HTMLElement, key: string, location: MatchLocation, pattern: RegExp): Range | undefined {
  for (const name of location.folds) row.querySelector(`[data-fold="${CSS.escape(`${key}/${name}`)}"]`)?.dispatchEvent(new Event('unfold'));
  const element = row.querySelector<HTMLElement>(`[data-find="${CSS.escape(location.key)}"]`);
  if (!element) return undefined;
  element.dispatchEvent(location.excerpt ? new CustomEvent('excerpt', { detail: location.excerpt }) : new Event('unfold'));
  const excerpt = location.excerpt && element.querySelector('.excerpt');
  return excerpt ? rangeOf(excerpt, pattern, location.excerpt.nth) : rangeOf(element, pattern, location.nth);
}

/** Pixels between a visible range and the edges of the view, at least. */
const MARGIN = 8;

/** Scrolls to a range of an article. If it's visible, its position doesn't change, even if the article has just grown. */
export function scrollToRange(range: Range, index: number, list: ArticleList, main: HTMLElement): void {
  const box = range.startContainer.parentElement?.closest('pre');
  // A block that isn't laid out yet has only an estimated height.
  if (box) box.style.contentVisibility = 'visible';
  const view = main.getBoundingClientRect();
  const at = range.getBoundingClientRect();
  const isVisible = at.top >= view.top + MARGIN && at.bottom <= view.bottom - MARGIN;
  const below = isVisible ? at.top - view.top : view.height * TARGET_POSITION;
  const row = list.row(index);
  if (row) list.show({ index, offset: at.top - row.getBoundingClientRect().top - below });
  if (!box || box.scrollWidth <= box.clientWidth) return;
  const [{ left, right }, { left: from, right: to }] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  if (from < left || to > right) box.scrollLeft += from - left - box.clientWidth / 2;
}
