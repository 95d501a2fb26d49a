/** The source of context views in the extension host: session files and the images stored with them. */
import { homedir } from 'node:os';
import { readBlob, readBlobStart, readBodies, Yielder, yieldToEventLoop, type Session } from '../../core/index';
import type { ViewMode } from '../shared/protocol';
import { readContext, type ContextSnapshot } from '../snapshot/contextSnapshot';
import type { SessionSource } from '../snapshot/sessionSource';

const sessionFiles: SessionSource = {
  bodies: readBodies,
  blob: async ({ path }, hash) => (await readBlob(path, hash))?.toString('base64'),
  blobStart: ({ path }, hash) => readBlobStart(path, hash),
  home: homedir(),
  yield: yieldToEventLoop,
  yielder: (signal) => new Yielder(signal),
};

/** Works like {@link readContext}, with the bodies in the session's file. */
export const readFileContext = (session: Session, leafId?: string, view?: ViewMode, signal?: AbortSignal): Promise<ContextSnapshot> =>
  readContext(session, sessionFiles, leafId, view, signal);
