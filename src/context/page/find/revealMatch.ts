/** Brings a match into sight: opens what it is folded in, shows the piece of a long text that it is in, scrolls there. */
import type { MatchLocation } from '../../shared/protocol';
import type { ArticleList } from '../messages/articleList';
import { rangeOf } from './findHighlights';

/** Where in the view a match comes to stand, from its top. */
const TARGET_POSITION = 0.3;

/** @returns the match's range, or `undefined` if it is not there. */
export function revealMatch(row: HTMLElement, key: string, location: MatchLocation, pattern: RegExp): Range | undefined {
  for (const name of location.folds) row.querySelector(`[data-fold="${CSS.escape(`${key}/${name}`)}"]`)?.dispatchEvent(new Event('unfold'));
  const element = row.querySelector<HTMLElement>(`[data-find="${CSS.escape(location.key)}"]`);
  if (!element) return undefined;
  element.dispatchEvent(location.excerpt ? new CustomEvent('excerpt', { detail: location.excerpt }) : new Event('unfold'));
  const excerpt = location.excerpt && element.querySelector('.excerpt');
  return excerpt ? rangeOf(excerpt, pattern, location.excerpt.nth) : rangeOf(element, pattern, location.nth);
}

/** Scrolls to a range of an article, if it is not in sight. `covered`: pixels at the top that something lies over. */
export function scrollToRange(range: Range, index: number, list: ArticleList, main: HTMLElement, covered: number): void {
  const box = range.startContainer.parentElement?.closest('pre');
  // What is not drawn yet has not the height that it will have.
  if (box) box.style.contentVisibility = 'visible';
  const view = main.getBoundingClientRect();
  const at = range.getBoundingClientRect();
  if (at.top < view.top + covered || at.bottom > view.bottom - 8) {
    const row = list.row(index);
    if (row) list.show({ index, offset: at.top - row.getBoundingClientRect().top - view.height * TARGET_POSITION });
  }
  if (!box || box.scrollWidth <= box.clientWidth) return;
  const [{ left, right }, { left: from, right: to }] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  if (from < left || to > right) box.scrollLeft += from - left - box.clientWidth / 2;
}
