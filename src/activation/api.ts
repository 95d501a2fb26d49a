/** Makes the API for other extensions of the window's session data. */
import type { Event } from 'vscode';
import type { SessionsChange, SessionTreeApi } from '../api';
import { branchDigest, buildSessionContext, fileAt, filesAt, lineOrigins, readBodies } from '../core/index';
import { loadCode } from '../ui/loadCode';
import type { SessionData } from './sessionData';

/** @param onDidChangeSessions see the API */
export function createApi(
  { openCatalog, session }: Pick<SessionData, 'openCatalog' | 'session'>,
  onDidChangeSessions: Event<SessionsChange>,
  onError: (error: unknown, doing: string) => void,
): SessionTreeApi {
  return Object.freeze<SessionTreeApi>({
    version: 1,
    onDidChangeSessions,
    sessions: async () => (await openCatalog()).sessions(),
    readSession: session,
    readBodies: (of, ids) => readBodies(of, ids),
    context: (of, leafId) => buildSessionContext(of, leafId),
    search: async (query, options) => (await openCatalog()).search(query, options),
    digest: branchDigest,
    lineOrigins: async (file, options) => lineOrigins(await openCatalog(), file, options),
    fileAt: async (file, ref) => fileAt(await openCatalog(), file, ref),
    filesAt: async (ref, options) => filesAt(await openCatalog(), ref, options),
    sessionManager: async () => {
      const { SessionManager } = await loadCode(() => import('../core/index'), onError);
      return SessionManager;
    },
  });
}
