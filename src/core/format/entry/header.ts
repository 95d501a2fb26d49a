/** The header of a file, whatever stands in it. */
import { asString, type JsonObject, type SessionHeader } from './entry';

/** Fields of headers that are texts wherever they are; anything else in them counts as absent. */
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
