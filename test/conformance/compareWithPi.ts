/** Compares pi's results for a session with ours. Each comparison converts both to the same form. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { buildSessionContext, FILTERS, isVisible, modelName, pathTo, readSession, sessionUsage, type Session } from '../../src/core/index';
import { copies, loadPi, type Pi, type PiNode, type PiSession } from './pi';
import type { PiVersion } from './piPackage';

export interface Both {
  readonly pi: Pi;
  readonly ours: Session;
  readonly theirs: PiSession;
  /** Our ids of entries by pi's. pi gives the entries of version 1 new ids at every opening. */
  readonly known: ReadonlyMap<string, string>;
}

const loaded = new Map<PiVersion, Promise<Pi>>();

/** Reads one copy with pi and one with our reader. */
export async function readBoth(folder: string, text: string, version: PiVersion = '1.5.2'): Promise<Both> {
  const loading = loaded.get(version) ?? loadPi(version);
  loaded.set(version, loading);
  const pi = await loading;
  const paths = copies(folder, text);
  const ours = await readSession(paths.ours, { home: process.env['HOME'] ?? '' });
  const theirs = pi.open(paths.theirs);
  const entries = theirs.getEntries();
  assert.equal(ours.entries.length, entries.length);
  return { pi, ours, theirs, known: new Map(entries.map(({ id }, index) => [id, ours.entries[index]!.id])) };
}

/** Asserts that pi has the same tree and contexts of a file as ours. */
export async function agree(folder: string, path: string, version?: PiVersion): Promise<Both> {
  const both = await readBoth(folder, await readFile(path, 'utf8'), version);
  compareShapes(both);
  await compareContexts(both);
  return both;
}

/** Compares the tree with its order and labels, the leaf, the name, and the branch at every entry. */
export function compareShapes({ ours, theirs, known }: Both): void {
  const roots = theirs.getTree();
  assert.deepEqual(
    ours.roots,
    roots.map(({ entry }) => known.get(entry.id)),
  );
  // Lists, since a tree may be deeper than the stack.
  const nodes: PiNode[] = [...roots];
  for (const { children } of nodes) nodes.push(...children);
  for (const { entry, label, children } of nodes) {
    const id = known.get(entry.id)!;
    assert.deepEqual(
      [ours.labels.get(id), ours.children.get(id) ?? []],
      [label, children.map((child) => known.get(child.entry.id))],
      `the node of ${id}`,
    );
  }
  assert.equal(nodes.length, ours.entries.length);
  const leaf = theirs.getLeafId();
  assert.deepEqual([ours.name, ours.leafId], [theirs.getSessionName(), leaf === null ? null : known.get(leaf)]);
  for (const { id } of theirs.getEntries()) {
    assert.deepEqual(
      pathTo(ours, known.get(id)!).map((head) => head.id),
      theirs.getBranch(id).map((entry) => known.get(entry.id)),
    );
  }
}

/** Compares messages, model and thinking level at every entry and before the first one. @returns the number of contexts */
export async function compareContexts({ ours, theirs, known }: Both): Promise<number> {
  const leaf = theirs.getLeafId();
  const places = [...theirs.getEntries().map(({ id }) => id), null];
  for (const place of places) {
    if (place === null) theirs.resetLeaf();
    else theirs.branch(place);
    const { sources, ...context } = await buildSessionContext(ours, place === null ? null : known.get(place)!);
    assert.deepEqual(context, theirs.buildSessionContext());
    assert.equal(sources.length, context.messages.length);
  }
  if (leaf !== null) theirs.branch(leaf);
  return places.length;
}

/** Compares the rows under each filter, and their texts. @returns the number of rows */
export function compareRows({ pi, ours, theirs, known }: Both): number {
  let count = 0;
  for (const filter of FILTERS) {
    const rows = new Map(pi.rows(theirs, filter).map(({ id, text }) => [known.get(id)!, text]));
    const visible = ours.entries.filter((head) => isVisible(ours, head, filter));
    assert.deepEqual(visible.map(({ id }) => id).sort(), [...rows.keys()].sort(), filter);
    for (const { id, type, text } of visible) {
      const theirText = rows.get(id)!;
      // pi has no text for some types: where its row is empty, ours has the name of the type.
      if (theirText === '') assert.match(text, /^\[.+\]$/, type);
      // Ours says the arguments of other tools in words; `differences.test.ts` names the rows that differ.
      else if (JSON_ROW.test(theirText)) assert.equal(text.split(/[:\]]/)[0], theirText.split(':')[0]);
      else assert.equal(text.slice(0, ROW), theirText.slice(0, ROW));
      count++;
    }
  }
  return count;
}

const JSON_ROW = /^\[[^\]:]+: \{/;

/** Our rows end after this many UTF-16 units; pi's are longer for some types. */
const ROW = 200;

/** Compares tokens and dollars over all branches, in total and by model. */
export function compareTotals({ pi, ours, theirs }: Both): void {
  // pi has no sum of what was cached for an hour, which is a part of `cacheWrite`.
  const { byModel, cacheWrite1h: _, ...total } = sessionUsage(ours);
  assert.deepEqual(total, pi.totals(theirs));
  const costs = byModel.map(({ model, cost, ...of }) => ({
    key: model ? modelName(model) : 'Tools/summaries',
    cost,
    tokens: of.input + of.output + of.cacheRead + of.cacheWrite,
  }));
  const byKey = (a: { key: string }, b: { key: string }): number => a.key.localeCompare(b.key);
  assert.deepEqual(costs.filter(({ cost, tokens }) => cost > 0 || tokens > 0).sort(byKey), pi.costs(theirs).sort(byKey));
}
