/** The heads of a large file → a session, without looking at each: what it is asked for is made then. */
import { EntryList } from '../session/entryList';
import type { EntryHead } from '../entry/entryHead';
import { NO_PARENT } from './headColumns';
import type { HeadTable } from './headTable';
import { applyLabel } from '../session/leafAndLabels';
import { LayeredMap } from '../session/layeredMap';
import { ReadonlyMapView } from '../session/readonlyMapView';
import { problem, type Problem } from '../entry/problem';
import { sortByLine, createSession, type SessionParts, type Session } from '../session/session';

/** What `link` makes of the same heads. There is no `leaf` line among them. */
export function linkColumns(lines: Omit<SessionParts, 'heads'>, table: HeadTable): Session {
  const problems = [...lines.problems];
  const { roots, missing } = rootsOf(table, problems);
  sortByLine(problems);
  const maps = {
    byId: LayeredMap.of(new HeadsById(table)),
    children: LayeredMap.of<readonly string[]>(new ChildrenByParent(table)),
    entryList: new EntryList(() => table.all()),
    table,
  };
  return createSession(lines, maps, { roots, leafId: leafOf(table), labels: labelsOf(table), problems, leafTargets: new Map(), missing });
}

class HeadsById extends ReadonlyMapView<EntryHead> {
  constructor(private readonly table: HeadTable) {
    super();
  }

  get size(): number {
    return this.table.ids.length;
  }

  get(id: string): EntryHead | undefined {
    const place = this.table.ids.indexOf(id);
    return place === undefined ? undefined : this.table.at(place);
  }

  has(id: string): boolean {
    return this.table.ids.indexOf(id) !== undefined;
  }

  *entries(): MapIterator<[string, EntryHead]> {
    for (let place = 0; place < this.table.ids.length; place++) yield [this.table.ids.at(place), this.table.at(place)];
  }
}

function rootsOf(table: HeadTable, problems: Problem[]): { roots: string[]; missing: Set<string> } {
  const roots: string[] = [];
  const missing = new Set<string>();
  for (let place = 0; place < table.ids.length; place++) {
    if (table.parent(place) !== NO_PARENT) continue;
    roots.push(table.ids.at(place));
    const head = table.irregular.get(place);
    if (!head || head.parentId === null) continue;
    missing.add(head.parentId);
    problems.push(problem('unknown-parent', { line: head.line, parent: head.parentId }, head.id));
  }
  return { roots, missing };
}

/** Children by their parents: the first of each, and of each the next one of the same parent. */
class ChildrenByParent extends ReadonlyMapView<readonly string[]> {
  private linked: { readonly first: Int32Array; readonly next: Int32Array; readonly size: number } | undefined;

  constructor(private readonly table: HeadTable) {
    super();
  }

  get size(): number {
    return this.links.size;
  }

  get(id: string): readonly string[] | undefined {
    const place = this.table.ids.indexOf(id);
    return place === undefined ? undefined : this.of(place);
  }

  has(id: string): boolean {
    const place = this.table.ids.indexOf(id);
    return place !== undefined && this.links.first[place] !== NONE;
  }

  *entries(): MapIterator<[string, readonly string[]]> {
    for (let place = 0; place < this.table.ids.length; place++) {
      const parent = this.table.parent(place);
      if (parent !== NO_PARENT && this.links.first[parent] === place) yield [this.table.ids.at(parent), this.of(parent)!];
    }
  }

  private of(place: number): string[] | undefined {
    const { table, links } = this;
    let child = links.first[place]!;
    if (child === NONE) return undefined;
    const found = [child];
    while ((child = links.next[child]!) !== NONE) found.push(child);
    if (found.length > 1) found.sort((a, b) => table.time(a) - table.time(b));
    return found.map((each) => table.ids.at(each));
  }

  private get links(): NonNullable<typeof this.linked> {
    return (this.linked ??= linksOf(this.table));
  }
}

const NONE = -1;

function linksOf(table: HeadTable): { first: Int32Array; next: Int32Array; size: number } {
  const count = table.ids.length;
  const first = new Int32Array(count).fill(NONE);
  const next = new Int32Array(count).fill(NONE);
  let size = 0;
  // From behind, so that the first in the file comes first.
  for (let place = count - 1; place >= 0; place--) {
    const parent = table.parent(place);
    if (parent === NO_PARENT) continue;
    if (first[parent] === NONE) size++;
    next[place] = first[parent]!;
    first[parent] = place;
  }
  return { first, next, size };
}

/** The last entry that can be one. */
function leafOf(table: HeadTable): string | null {
  let place = table.ids.length - 1;
  while (place >= 0 && table.irregular.get(place)?.side) place--;
  return place < 0 ? null : table.ids.at(place);
}

function labelsOf(table: HeadTable): Map<string, string> {
  const labels = new Map<string, string>();
  for (const head of table.irregular.values()) applyLabel(labels, head);
  return labels;
}
