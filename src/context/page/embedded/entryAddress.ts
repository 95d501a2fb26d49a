/** The entry in the page's address: `#<id>` goes to an entry, `#at=<id>` shows the context at it, and none the leaf. */

export interface EntryAddress {
  readonly entryId: string;
  /** True if the conversation ends at the entry. */
  readonly isEnd: boolean;
}

const END = 'at=';

export const hashOf = ({ entryId, isEnd }: EntryAddress): string => `#${isEnd ? END : ''}${encodeURIComponent(entryId)}`;

/** Returns the entry in an address; `undefined` if it has none. */
export function parseHash(hash: string): EntryAddress | undefined {
  const text = hash.replace(/^#/, '');
  const isEnd = text.startsWith(END);
  try {
    const entryId = decodeURIComponent(isEnd ? text.slice(END.length) : text);
    return entryId === '' ? undefined : { entryId, isEnd };
  } catch {
    // A percent sign that encodes nothing, as in an address that was edited by hand.
    return undefined;
  }
}
