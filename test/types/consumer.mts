// Another program that is type-checked against dist/core.d.mts, dist/contract.d.mts and dist/api.d.mts.
import {
  buildSessionContext,
  openCatalog,
  readBodies,
  readSession,
  SessionError,
  SessionManager,
  type CatalogRow,
  type Entry,
  type EntryHead,
  type Session,
} from '../../dist/core.mjs';
import type { SessionTreeApi } from '../../dist/api.mjs';
import type { CommandContract, SessionRef } from '../../dist/contract.mjs';

export async function readLeaf(path: string): Promise<Entry | undefined> {
  const session: Session = await readSession(path, { signal: AbortSignal.timeout(1000) });
  const head: EntryHead | undefined = session.leafId === null ? undefined : session.byId.get(session.leafId);
  const { messages, sources } = await buildSessionContext(session);
  const lengths: [number, number] = [messages.length, sources.length];
  return head && lengths[0] === lengths[1] ? (await readBodies(session, [head.id]))[0] : undefined;
}

export async function listRows(root: string, cacheDir: string): Promise<CatalogRow[]> {
  const catalog = await openCatalog({ roots: [{ path: root, dialect: 'pi' }], cacheDir });
  await catalog.refresh();
  return await catalog.sessions();
}

export const manager = (cwd: string): SessionManager => SessionManager.create(cwd);
export const isRefused = (error: unknown): boolean => error instanceof SessionError && error.code === 'live';

// @ts-expect-error: a session has no such member, so these are real types and not `any`.
export const missing = (session: Session): unknown => session.noSuchMember;

export const labelArguments: CommandContract['sessionTree.label']['args'] = [{ path: '/a.jsonl', entryId: 'e1', label: 'here' }];
export const ref: SessionRef = { path: '/a.jsonl', entryId: 'e1' };

export async function useApi(api: SessionTreeApi, path: string): Promise<number> {
  const session = await api.readSession(path);
  const Manager = await api.sessionManager();
  const listener = api.onDidChangeSessions(({ changed }) => changed.length);
  listener.dispose();
  const { cost } = (await api.digest(session)).usage;
  return (await Manager.open(path)).getEntries().length + cost + (await api.sessions()).length;
}
// @ts-expect-error: there is no other version.
export const version: SessionTreeApi['version'] = 2;
