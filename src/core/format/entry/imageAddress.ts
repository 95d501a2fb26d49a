/** Images that a message has by their address instead of their data. Nothing opens an address. */
import { isObject } from '../values/jsonValues';

/** The scheme of an address. `data:` and `blob:` (oh-my-pi's files) don't count as one. */
const SCHEME = /^(?!data:|blob:)[a-z][a-z\d+.-]{1,30}:/i;

/** The members of an image that may hold its data or its address. */
interface ImagePlaces {
  readonly data?: unknown;
  readonly url?: unknown;
  readonly source?: unknown;
  readonly image_url?: unknown;
}

/** Returns the address of an image that's there by it; `undefined` if the image has data. */
export function imageAddress(image: ImagePlaces): string | undefined {
  const { data, url, source, image_url: other } = image;
  const places = [data, url, other, ...[source, other].map((one) => (isObject(one) ? one['url'] : undefined))];
  const hasData = typeof data === 'string' && data !== '' && !SCHEME.test(data);
  return hasData ? undefined : places.find((one): one is string => typeof one === 'string' && SCHEME.test(one));
}
