/** The API for other extensions, whose code is loaded when it's first used. */
import type { Event } from 'vscode';
import type { SessionsChange, SessionTreeApi } from '../api';
import { loadCode, once } from '../ui/loadCode';
import type { SessionData } from './sessionData';

/** @param onDidChangeSessions see the API */
export function lazyApi(
  data: Pick<SessionData, 'openCatalog' | 'session'>,
  onDidChangeSessions: Event<SessionsChange>,
  onError: (error: unknown, doing: string) => void,
): SessionTreeApi {
  const load = once(async () => {
    const { createApi } = await loadCode(() => import('./api'), onError);
    return createApi(data, onDidChangeSessions, onError);
  });
  return Object.freeze<SessionTreeApi>({
    version: 1,
    onDidChangeSessions,
    sessions: async () => (await load()).sessions(),
    readSession: async (path) => (await load()).readSession(path),
    readBodies: async (session, ids) => (await load()).readBodies(session, ids),
    context: async (session, leafId) => (await load()).context(session, leafId),
    search: async (query, options) => (await load()).search(query, options),
    digest: async (session, tipId, options) => (await load()).digest(session, tipId, options),
    lineOrigins: async (file, options) => (await load()).lineOrigins(file, options),
    fileAt: async (file, ref) => (await load()).fileAt(file, ref),
    filesAt: async (ref, options) => (await load()).filesAt(ref, options),
    sessionManager: async () => (await load()).sessionManager(),
  });
}
