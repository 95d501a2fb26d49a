/** Entries that are their own ancestors, in broken files. */
import type { EntryHead } from '../entry/entryHead';
import { problem, type Problem } from '../entry/problem';

/** Whatever cannot be reached from a root hangs in a circle: its first entry in the file becomes a root. */
export function breakCycles(
  entries: readonly EntryHead[],
  byId: Map<string, EntryHead>,
  children: Map<string, string[]>,
  roots: string[],
  problems: Problem[],
): void {
  const reached = new Set<string>();
  const reach = (from: readonly string[]): void => {
    const stack = [...from];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      for (const child of children.get(id) ?? []) stack.push(child);
    }
  };
  reach(roots);
  if (reached.size === byId.size) return;
  const place = new Map(entries.map((head, index) => [head.id, index]));
  const cut = new Set<string>();
  for (const start of entries) {
    if (reached.has(start.id)) continue;
    const walked = new Set<string>();
    let id = start.id;
    while (!walked.has(id)) {
      walked.add(id);
      id = byId.get(id)!.parentId!;
    }
    let first = id;
    for (let next = byId.get(id)!.parentId!; next !== id; next = byId.get(next)!.parentId!) {
      if (place.get(next)! < place.get(first)!) first = next;
    }
    const head = byId.get(first)!;
    const siblings = children.get(head.parentId!)!;
    siblings.splice(siblings.indexOf(first), 1);
    if (siblings.length === 0) children.delete(head.parentId!);
    byId.set(first, { ...head, parentId: null });
    problems.push(problem('cycle', { line: head.line }, first));
    cut.add(first);
    reach([first]);
  }
  const all = new Set([...roots, ...cut]);
  roots.length = 0;
  for (const head of entries) if (all.has(head.id)) roots.push(head.id);
}
