/** Finds the ids in the paths of addresses, such as those of documents. */

/** The path of an address. */
const PATH = /:\/\/[^\s/"'`<>\\]{1,253}((?:\/[^\s/"'`<>\\?#]{0,200}){1,16})/g;
/** UTF-16 units of an id. */
const MIN_LENGTH = 8;

/** Returns the parts of the paths of a text's addresses that are long enough for an id. */
export function* idsInAddresses(text: string): Generator<string, void> {
  if (!text.includes('://')) return;
  for (const [, path = ''] of text.matchAll(PATH))
    for (const part of path.split('/')) if (part.length >= MIN_LENGTH && /\d|[a-z][A-Z]/.test(part)) yield part;
}
