/** One session, asked of pi and of us: each question as a pair of answers in the same words. */
import assert from 'node:assert/strict';
import { buildSessionContext, FILTERS, isVisible, modelName, pathTo, readSession, sessionUsage, type Session } from '../../src/core/index';
import { copies, type Pi, type PiNode, type PiSession } from './pi';

export interface Both {
  readonly ours: Session;
  readonly theirs: PiSession;
  /** Our id of an entry by pi's: pi gives version 1's entries new ones at every opening. */
  readonly known: ReadonlyMap<string, string>;
}

/** Reads a copy with each. */
export async function readBoth(pi: Pi, folder: string, text: string): Promise<Both> {
  const paths = copies(folder, text);
  const ours = await readSession(paths.ours, { home: process.env['HOME'] ?? '' });
  const theirs = pi.open(paths.theirs);
  const entries = theirs.getEntries();
  assert.equal(ours.entries.length, entries.length);
  return { ours, theirs, known: new Map(entries.map(({ id }, index) => [id, ours.entries[index]!.id])) };
}

/** The tree in its order with its labels, the leaf, the name, and the branch at every entry. */
export function compareShapes({ ours, theirs, known }: Both): void {
  const nodes = (of: readonly PiNode[]): unknown[] => of.map((node) => [known.get(node.entry.id), node.label, nodes(node.children)]);
  const heads = (ids: readonly string[]): unknown[] => ids.map((id) => [id, ours.labels.get(id), heads(ours.children.get(id) ?? [])]);
  assert.deepEqual(heads(ours.roots), nodes(theirs.getTree()));
  const leaf = theirs.getLeafId();
  assert.deepEqual([ours.name, ours.leafId], [theirs.getSessionName(), leaf === null ? null : known.get(leaf)]);
  for (const { id } of theirs.getEntries()) {
    assert.deepEqual(
      pathTo(ours, known.get(id)!).map((head) => head.id),
      theirs.getBranch(id).map((entry) => known.get(entry.id)),
    );
  }
}

/** Messages, model and thinking level at every entry, and before the first one. @returns how many contexts there were. */
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

/** Which rows each filter shows, and what they say. @returns how many rows there were. */
export function compareRows(pi: Pi, { ours, theirs, known }: Both): number {
  let count = 0;
  for (const filter of FILTERS) {
    const rows = new Map(pi.rows(theirs, filter).map(({ id, text }) => [known.get(id)!, text]));
    const visible = ours.entries.filter((head) => isVisible(ours, head, filter));
    assert.deepEqual(visible.map(({ id }) => id).sort(), [...rows.keys()].sort(), filter);
    for (const { id, type, text } of visible) {
      const theirText = rows.get(id)!;
      // Types that pi has no words for: an empty row of theirs has the type's name with us.
      if (theirText === '') assert.match(text, /^\[.+\]$/, type);
      else assert.equal(text.slice(0, ROW), theirText.slice(0, ROW));
      count++;
    }
  }
  return count;
}

/** Our rows end after this many UTF-16 units, pi's go on for some types. */
const ROW = 200;

/** Tokens and dollars over all branches, together and by model. */
export function compareTotals(pi: Pi, { ours, theirs }: Both): void {
  const { byModel, ...total } = sessionUsage(ours);
  assert.deepEqual(total, pi.totals(theirs));
  const costs = byModel.map(({ model, cost, ...of }) => ({
    key: model ? modelName(model) : 'Tools/summaries',
    cost,
    tokens: of.input + of.output + of.cacheRead + of.cacheWrite,
  }));
  const byKey = (a: { key: string }, b: { key: string }): number => a.key.localeCompare(b.key);
  assert.deepEqual(costs.filter(({ cost, tokens }) => cost > 0 || tokens > 0).sort(byKey), pi.costs(theirs).sort(byKey));
}
