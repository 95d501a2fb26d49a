/** The content of a line that the scanner keeps, as JSON. */
import { isObject, type JsonObject } from '../values/jsonValues';

/** Returns the members of a line that are kept for its row's text: `content`, and `errorMessage` if there is one. */
export function keptBody(kept: unknown): JsonObject {
  return isObject(kept) ? kept : { content: kept };
}

/** Returns the value of JSON in the scanner's memory; `undefined` for no bytes. */
export function parseJsonBytes(json: Uint8Array): unknown {
  return json.length === 0 ? undefined : (JSON.parse(new TextDecoder().decode(json)) as unknown);
}
