/** Places an edit of a stretch that was restored to an earlier state: by undoing in the editor, or by Git. */
import { aligning } from '../alignLines';
import type { LineTexts } from '../lineTexts';
import type { Work } from '../work';
import type { LineDocument, Splice } from './lineDocument';

/**
 * Returns the changes of an earlier state as changes of the present document: each takes the place of what stands between
 * the nearest lines that both have. `undefined` if they aren't in the same order there.
 */
export function* restoredSplices(
  document: LineDocument,
  state: LineDocument,
  splices: readonly Splice[],
  texts: LineTexts,
): Work<Splice[] | undefined> {
  const { places } = yield* aligning(document.lines, state.lines, texts);
  const restored: Splice[] = [];
  for (const { from, to, lines, origins } of splices) {
    let [before, after] = [from - 1, to];
    while (before >= 0 && places[before]! < 0) before--;
    while (after < places.length && places[after]! < 0) after++;
    yield after - before + lines.length;
    const begin = before < 0 ? 0 : places[before]! + 1;
    const end = after < places.length ? places[after]! : document.lines.length;
    const last = restored.at(-1);
    if (begin > end || (last && begin < last.to)) return undefined;
    restored.push({
      from: begin,
      to: end,
      lines: [...state.lines.slice(before + 1, from), ...lines, ...state.lines.slice(to, after)],
      origins: [...state.origins.slice(before + 1, from), ...origins, ...state.origins.slice(to, after)],
    });
  }
  return restored;
}
