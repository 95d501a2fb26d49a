/** Parses the header of a file. Any object is accepted. */
import { asString, type JsonObject, type SessionHeader } from './entry';

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
  return header as SessionHeader;
}
