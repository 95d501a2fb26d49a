/** Parses the header of a file. Any object is accepted. */
import { asString, isArray, type JsonObject } from '../values/jsonValues';
import type { SessionHeader } from './entry';

/** Header fields that must be strings; other values count as absent. */
const STRING_FIELDS = ['parentSession', 'branchedFrom', 'title', 'provider', 'modelId', 'thinkingLevel'];

export function parseHeader(value: JsonObject): SessionHeader {
  const header: Record<string, unknown> = {
    ...value,
    type: 'session',
    timestamp: asString(value['timestamp']) ?? '',
    cwd: asString(value['cwd']) ?? '',
  };
  for (const key of STRING_FIELDS) if (key in header && typeof header[key] !== 'string') Reflect.deleteProperty(header, key);
  if (typeof value['version'] !== 'number') delete header['version'];
  // The fields that others rely on were checked above; the rest is optional or unknown.
  return header as SessionHeader;
}

/** Limits for the folders of a header, in number and in UTF-16 units. */
const MAX_FOLDERS = 32;
const MAX_FOLDER_LENGTH = 4096;

/** Returns the folders that a session of oh-my-pi works in, in addition to `cwd`. FORMAT section 2. */
export function additionalDirectories(header: JsonObject): readonly string[] {
  const folders = header['additionalDirectories'];
  if (!isArray(folders)) return [];
  return folders
    .slice(0, MAX_FOLDERS)
    .filter((folder): folder is string => typeof folder === 'string' && folder !== '' && folder.length <= MAX_FOLDER_LENGTH);
}
