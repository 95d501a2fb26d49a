/**
 * Turns the rows of a file into the heads of a session, as `resolveHeads` does with objects: each id once, no parents that
 * are `leaf` lines, no circles. Works with numbers: objects of a hundred thousand heads take hundreds of milliseconds.
 */
import { LinkedHeads } from '../columns/linkedHeads';
import type { HeadTable } from '../columns/headTable';
import { NO_PARENT } from '../columns/headSource';
import { problem, type Problem } from '../entry/problem';
import { isDamaged } from '../parse/damagedLine';
import { LineProblems } from '../parse/lineProblems';
import { breakCycles } from './breakCycles';
import { applyMarks, type LeafAndLabels } from './leafAndLabels';
import { resolveLeafLine } from './leafLine';
import type { ResolvedHeads } from './resolveHeads';

/** Rows that have the same ids. A table in which no id is repeated has none of these numbers. */
interface RepeatedRows {
  /**
   * By row: the row that is the entry with this row's id, and the first row with this id; `NO_PARENT` if there are only
   * `leaf` lines.
   */
  readonly entries: Int32Array;
  readonly firsts: Int32Array;
  readonly problems: readonly Problem[];
}

export function resolveRows(table: HeadTable): ResolvedHeads {
  const leafRows = new Set<number>();
  for (const [row, { type }] of table.irregular) if (type === 'leaf') leafRows.add(row);
  const laterParents = parentsNotFound(table);
  if (leafRows.size === 0 && table.repeats.length === 0 && laterParents.size === 0)
    return { ...leafAndLabels(table, new Map(), undefined), leafTargets: new Map(), heads: table, problems: [], roots: table.roots() };
  const repeated = repeatedRows(table, leafRows);
  const leafTargets = new Map<string, string | null>();
  const state = leafAndLabels(table, leafTargets, repeated.firsts);
  const { heads, circles } = linkRows(table, repeated.entries, leafRows, leafTargets, laterParents);
  return { ...state, leafTargets, heads, problems: [...repeated.problems, ...circles] };
}

/** Returns the rows of parents that weren't found when their child was read, by the child's row: most of them follow it. */
function parentsNotFound(table: HeadTable): Map<number, number> {
  const found = new Map<number, number>();
  for (const [row, { parentId }] of table.irregular) {
    const parent = parentId === null || table.parentAt(row) !== NO_PARENT ? undefined : table.placeOf(parentId);
    if (parent !== undefined) found.set(row, parent);
  }
  return found;
}

function repeatedRows(table: HeadTable, leafRows: ReadonlySet<number>): RepeatedRows {
  const { repeats, length } = table;
  const problems = new LineProblems();
  const entries = new Int32Array(length);
  for (let row = 0; row < length; row++) entries[row] = row;
  for (const row of leafRows) entries[row] = NO_PARENT;
  const firsts = entries.slice();
  for (let at = 0; at < repeats.length; at += 2) {
    const [row, before] = [repeats[at]!, repeats[at + 1]!];
    const entry = entries[before]!;
    firsts[row] = firsts[before] === NO_PARENT ? firsts[row]! : firsts[before]!;
    if (entry !== NO_PARENT && !leafRows.has(row)) {
      const [id, line] = [table.idAt(row), table.lineAt(row)];
      problems.add('duplicate-id', { line, id }, id);
    }
    const head = table.irregular.get(row);
    // A readable entry takes precedence over an unreadable one.
    if (head && (head.type === 'leaf' || (isDamaged(head) && entry !== NO_PARENT))) entries[row] = entry;
  }
  for (let at = repeats.length - 2; at >= 0; at -= 2) entries[repeats[at + 1]!] = entries[repeats[at]!]!;
  return { entries, firsts, problems: problems.list };
}

/** Applies the lines in file order. Adds the parents of the children of `leaf` lines to `leafTargets`. Doesn't walk all rows. */
function leafAndLabels(table: HeadTable, leafTargets: Map<string, string | null>, firsts: Int32Array | undefined): LeafAndLabels {
  const marks = { labels: new Map<string, string>(), archived: new Set<string>() };
  /** The last line that set the leaf, and the leaf. */
  let moved: { readonly row: number; readonly leafId: string | null } | undefined;
  for (const [row, head] of table.irregular) {
    applyMarks(marks, head);
    if (head.type !== 'leaf') continue;
    const isEarlier = (id: string): boolean => {
      const last = table.placeOf(id);
      const first = last === undefined ? NO_PARENT : (firsts?.[last] ?? last);
      return first !== NO_PARENT && first < row;
    };
    const { parentOfChildren, leafId } = resolveLeafLine(head, { has: isEarlier }, leafTargets);
    leafTargets.set(head.id, parentOfChildren);
    if (leafId !== undefined) moved = { row, leafId };
  }
  const isEntry = (row: number): boolean => {
    const { type, side } = table.traitsAt(row);
    return type !== 'leaf' && !side;
  };
  let last = table.length - 1;
  while (last >= 0 && !isEntry(last)) last--;
  const leafId = moved && moved.row > last ? moved.leafId : last < 0 ? null : table.idAt(last);
  return { leafId, ...marks };
}

/** @param entries see `RepeatedRows`. @param laterParents see `parentsNotFound` */
function linkRows(
  table: HeadTable,
  entries: Int32Array,
  leafRows: ReadonlySet<number>,
  leafTargets: ReadonlyMap<string, string | null>,
  laterParents: ReadonlyMap<number, number>,
): { readonly heads: LinkedHeads; readonly circles: Problem[] } {
  const rows = entries.filter((entry, row) => entry === row);
  const places = new Int32Array(table.length);
  for (let place = 0; place < rows.length; place++) places[rows[place]!] = place;
  for (const row of [...leafRows, ...table.repeats]) places[row] = entries[row] === NO_PARENT ? NO_PARENT : places[entries[row]!]!;
  const ledTo = rowsOfLeafLines(table, leafRows, leafTargets);
  const placeOf = (id: string | null): number => {
    const row = id === null ? undefined : table.placeOf(id);
    return row === undefined ? NO_PARENT : places[row]!;
  };
  const parents = new Int32Array(rows.length);
  const parentIds = new Map<number, string | null>();
  let isOrdered = true;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const parent = laterParents.get(row) ?? table.parentAt(row);
    const target = ledTo.get(parent);
    if (target !== undefined) parentIds.set(place, target);
    parents[place] = target !== undefined ? placeOf(target) : parent === NO_PARENT ? NO_PARENT : places[parent]!;
    if (parents[place]! >= place) isOrdered = false;
  }
  const circles: Problem[] = [];
  for (const place of isOrdered ? [] : breakCycles(parents, 0)) {
    parentIds.set(place, null);
    const row = rows[place]!;
    circles.push(problem('cycle', { line: table.lineAt(row) }, table.idAt(row)));
  }
  return { heads: new LinkedHeads(table, { rows, places, parents, parentIds }), circles };
}

/** Returns the rows with the ids of `leaf` lines, and the parents that their children have instead. */
function rowsOfLeafLines(
  table: HeadTable,
  leafRows: ReadonlySet<number>,
  leafTargets: ReadonlyMap<string, string | null>,
): Map<number, string | null> {
  const found = new Map<number, string | null>();
  if (leafRows.size === 0) return found;
  for (const row of [...leafRows, ...table.repeats]) {
    const target = leafTargets.get(table.idAt(row));
    if (target !== undefined) found.set(row, target);
  }
  return found;
}
