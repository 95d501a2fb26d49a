/** oh-my-pi keeps images beside its sessions: `blob:sha256:<hash>` in a line, the bytes in `<agent folder>/blobs/<hash>`. */
import { dirname, join } from 'node:path';

const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;

/**
 * Where the bytes of an image lie whose data is a reference; `undefined` if the data is no reference.
 * `sessionsRoot` is the root that the session was found in; nothing of the reference but 64 hex digits gets into the path.
 */
export function blobPath(sessionsRoot: string, data: string): string | undefined {
  const hash = REFERENCE.exec(data)?.[1];
  return hash === undefined ? undefined : join(dirname(sessionsRoot), 'blobs', hash);
}
