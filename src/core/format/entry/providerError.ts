/** Errors of providers, which the programs record as JSON: `529 {"type":"error","error":{…,"message":"Overloaded"}}`. */

const PROVIDER_ERROR = /^(\d{3} )?\{\s*"(?:type":\s*"error"|error":)[^]*?"message":\s*"((?:[^"\\]|\\[^])+)/;

/**
 * Returns the status and the message of a provider's error, maybe the beginning of one; `undefined` for other texts, and
 * for errors without a message.
 */
export function providerErrorText(text: string): string | undefined {
  const [, status = '', message] = PROVIDER_ERROR.exec(text) ?? [];
  if (message === undefined) return undefined;
  const plain = unescaped(message);
  // Google's library has the JSON of the response as the message of its own.
  return `${status}${providerErrorText(plain) ?? plain}`;
}

/** Returns the value of a JSON string; the text itself if an escape in it is cut or isn't valid. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
