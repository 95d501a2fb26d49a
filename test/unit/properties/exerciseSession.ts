/** Calls every function that takes a session. Each one must terminate for any file. */
import assert from 'node:assert/strict';
import {
  branchUsage,
  buildSessionContext,
  contextPlan,
  entryPlainText,
  FILTERS,
  forkPoint,
  isVisible,
  ownUsage,
  parseSessionEntries,
  pathTo,
  readBodies,
  SessionError,
  SessionManager,
  sessionToMarkdown,
  sessionUsage,
  subtree,
  suspectedTip,
  tips,
  toLlmMessages,
  toLlmText,
  writeRefusal,
  type Session,
} from '../../../src/core/index';
import { locateInOutline } from '../../../src/tree/rows/outline';
import { levelOf, outlineOf } from '../tree/renderRows';

/** The number of entries that are exercised one by one. */
const SOME = 12;

/** Calls the functions that need heads only. */
export function exerciseTree(session: Session): void {
  const { entries, byId, roots } = session;
  assert.equal(byId.size, entries.length);
  const reached = roots.flatMap((id) => subtree(session, id)).map((head) => head.id);
  assert.equal(reached.length, entries.length, 'each entry is in the tree once');
  assert.equal(new Set(reached).size, entries.length);
  assert.ok(session.leafId === null || byId.has(session.leafId), 'the leaf is an entry');
  const ends = tips(session);
  assert.equal(ends.length > 0, entries.length > 0);
  for (const { id } of [...ends.slice(0, SOME), ...entries.slice(0, SOME)]) {
    const path = pathTo(session, id);
    assert.equal(path.at(-1)?.id, id);
    assert.ok(path[0] && roots.includes(path[0].id));
    assert.equal(forkPoint(path, path), id);
    contextPlan(session, id);
    branchUsage(session, id);
    ownUsage(session, id);
  }
  suspectedTip(session);
  sessionUsage(session);
  writeRefusal(session);
  for (const filter of FILTERS) {
    entries.filter((head) => isVisible(session, head, filter));
    const outline = outlineOf(session, filter);
    levelOf(outline);
    for (const { id } of ends.slice(0, SOME)) locateInOutline(outline, id);
  }
}

/** Calls the functions that read bodies. */
export async function exerciseBodies(session: Session): Promise<void> {
  const bodies = await readBodies(
    session,
    session.entries.map((head) => head.id),
  );
  assert.deepEqual(
    bodies.map(({ id, parentId }) => [id, parentId]),
    session.entries.map(({ id, parentId }) => [id, parentId]),
  );
  bodies.forEach(entryPlainText);
  for (const id of [
    session.leafId,
    ...tips(session)
      .slice(0, SOME)
      .map((head) => head.id),
  ]) {
    const { messages, sources } = await buildSessionContext(session, id);
    assert.equal(messages.length, sources.length);
    toLlmMessages(messages);
    toLlmText(messages);
    if (id !== null) await sessionToMarkdown(session, { entryId: id, maxBytes: 20_000 });
  }
}

/** Calls the synchronous getters of `SessionManager`. */
export async function exerciseManager(session: Session): Promise<void> {
  const manager = await SessionManager.open(session.path);
  assert.equal(manager.getEntries().length, session.entries.length);
  assert.equal(manager.getLeafId(), session.leafId);
  manager.getLeafEntry();
  manager.getTree();
  manager.getBranch();
  manager.getChildren(null);
  manager.getSessionName();
  for (const { id } of session.entries.slice(0, SOME)) {
    manager.getEntry(id);
    manager.getChildren(id);
    manager.getLabel(id);
  }
  manager.buildSessionContext();
}

/** Returns `undefined` for a `SessionError`; rethrows any other error. */
export async function unlessRefused<T>(work: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Parses the text without a file. */
export function exerciseParser(bytes: Uint8Array): void {
  parseSessionEntries(Buffer.from(bytes).toString('utf8'));
}
