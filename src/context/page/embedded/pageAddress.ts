/**
 * The address of an exported page. A viewer of shared gists, such as pi's, shows the page in a frame without an address, and
 * passes the parts of its own address in `meta` elements: the part before the parameters, and the parameters.
 */
import { hashOf, parseHash, type EntryAddress } from './entryAddress';

const meta = (name: string): string | undefined => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** Returns the entry in the address; `undefined` if it has none. */
export function currentAddress(): EntryAddress | undefined {
  const params = meta('pi-url-params');
  if (params === undefined) return parseHash(location.hash);
  const given = new URLSearchParams(params);
  const [target, leaf] = [given.get('targetId'), given.get('leafId')];
  return target ? { entryId: target, isEnd: false } : leaf ? { entryId: leaf, isEnd: true } : undefined;
}

/** Returns a link to an entry of the page. */
export function linkTo(address: EntryAddress): string {
  const base = meta('pi-share-base-url');
  if (base === undefined) return location.href.replace(/#.*/s, '') + hashOf(address);
  return `${base}&${address.isEnd ? 'leafId' : 'targetId'}=${encodeURIComponent(address.entryId)}`;
}

/** Adds a place that the browser's Back button returns to. */
export function setAddress(hash: string): void {
  // A frame without an address can't have one with a hash.
  if (location.protocol === 'about:' || location.hash === hash) return;
  history.pushState(history.state, '', hash === '' ? location.href.replace(/#.*/s, '') : hash);
}
