/** The header of a session whose project moved, or whose parent did. FORMAT section 6, rule 12. */
import type { Dialect } from '../entry/dialect';
import { isArray, type JsonObject } from '../values/jsonValues';

/** The places that moved. Paths are compared as the platform does. */
interface MovedPlaces {
  /** Returns the new path of a folder of the project; `undefined` for any other folder. */
  readonly folder: (path: string) => string | undefined;
  /** Returns the new path of a session that moved; `undefined` for any other path. */
  readonly session: (path: string) => string | undefined;
}

/** A session that moves with its project. */
export interface MovedSession {
  readonly dialect: Dialect;
  /** The path that the session had, if that changes. */
  readonly from?: string;
}

/** The header's members that may hold the path of the parent session. FORMAT section 1. */
const PARENT_KEYS = ['parentSession', 'branchedFrom'] as const;

/**
 * Returns the header with the new paths.
 *
 * @param moved set if the session itself belongs to the project; otherwise only the path of its parent is replaced.
 * @returns `header` itself if it names nothing that moved.
 */
export function relinkedHeader(header: JsonObject, places: MovedPlaces, moved?: MovedSession): JsonObject {
  const changed: Record<string, unknown> = {};
  for (const key of PARENT_KEYS) {
    const parent = header[key];
    const next = typeof parent === 'string' ? places.session(parent) : undefined;
    if (next !== undefined && next !== parent) changed[key] = next;
  }
  if (moved) Object.assign(changed, projectMembers(header, places, moved));
  if (Object.keys(changed).length === 0) return header;
  // jensen-code's checksum covers the old line; lines without a checksum are accepted.
  return Object.fromEntries(Object.entries({ ...header, ...changed }).filter(([key]) => key !== 'payloadSha256'));
}

function projectMembers(header: JsonObject, { folder }: MovedPlaces, { dialect, from }: MovedSession): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const { cwd, additionalDirectories: folders, previousSessionFiles: earlier } = header;
  const next = typeof cwd === 'string' ? folder(cwd) : undefined;
  if (next !== undefined && next !== cwd) changed['cwd'] = next;
  if (isArray(folders)) {
    const mapped = folders.map((one) => (typeof one === 'string' ? (folder(one) ?? one) : one));
    if (mapped.some((one, index) => one !== folders[index])) changed['additionalDirectories'] = mapped;
  }
  // oh-my-pi keeps the paths that a session had, and so finds it by any of them.
  if (dialect === 'omp' && from !== undefined) {
    const known = isArray(earlier) ? earlier : [];
    if (!known.includes(from)) changed['previousSessionFiles'] = [...known, from];
  }
  return changed;
}
