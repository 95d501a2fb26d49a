/** Errors of providers, which the programs record as JSON: `529 {"type":"error","error":{…,"message":"Overloaded"}}`. */

/** Claude Code writes its own words before the status. The message ends where an escape is cut. */
const PROVIDER_ERROR =
  /^((?:API Error: )?(?:\d{3} )?)\{\s*"(?:type":\s*"error"|error":)[^]*?"message":\s*"((?:[^"\\]|\\(?:u[\da-fA-F]{4}|[^u]))+)("?)/;

/**
 * Returns the status and the message of a provider's error, with an ellipsis if the text ends in the message; `undefined`
 * for other texts, and for errors without a message.
 */
export function providerErrorText(text: string): string | undefined {
  const [, status = '', message, quote] = PROVIDER_ERROR.exec(text) ?? [];
  if (message === undefined) return undefined;
  const plain = unescaped(message);
  // The error message of Google's library contains the JSON of the response.
  return `${status}${providerErrorText(plain) ?? `${plain}${quote === '' ? '…' : ''}`}`;
}

/** Returns the value of a JSON string; the text itself if an escape in it isn't valid. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
