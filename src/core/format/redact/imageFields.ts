/** The fields of a line whose text is an image: the data of image blocks. Nothing else that looks like an image counts. FORMAT section 2. */
import { isPicture } from './imageMetadata';
import type { Steps } from '../session/steps';
import { keysTo, STRINGS_OF_STEP, type JsonString } from './jsonStrings';

/** Paths of keys, without indexes. */
const DATA = new Set(['message.content.data', 'content.data', 'retainedTail.content.data', 'replacement.content.data']);
/** Keys on the way to the data. */
const MAX_STEPS = 8;
/** The types of images that programs send to models. */
const TYPE = /^image\/(?:png|jpeg|gif|webp)$/i;

/** Returns the strings that are the data of an image block, whatever they hold. @param strings those of a line */
export function* imageFields(strings: readonly JsonString[]): Steps<ReadonlySet<JsonString>> {
  const data: JsonString[] = [];
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    if (keyOf(string) === 'data' && DATA.has(keysTo(string, MAX_STEPS)?.join('.') ?? '')) data.push(string);
  }
  if (data.length === 0) return new Set();
  const types = yield* blocksWith(strings, 'type', (value) => value === 'image');
  const mimeTypes = yield* blocksWith(strings, 'mimeType', (value) => TYPE.test(value));
  return new Set(data.filter(({ at }) => types.has(at?.parent) && mimeTypes.has(at?.parent)));
}

/** Returns the strings that are pictures of image blocks. */
export function* pictures(strings: readonly JsonString[]): Steps<ReadonlySet<JsonString>> {
  const found = new Set<JsonString>();
  for (const string of yield* imageFields(strings)) {
    yield;
    if (isPicture(string.value)) found.add(string);
  }
  return found;
}

type Place = NonNullable<JsonString['at']>['parent'];

const keyOf = ({ at, isKey }: JsonString): string | undefined => (isKey ? undefined : at?.key?.value);

/** Returns the objects of which every member of a name is accepted: one that is there twice hides nothing. */
function* blocksWith(strings: readonly JsonString[], key: string, accepts: (value: string) => boolean): Steps<Set<Place>> {
  const found = new Set<Place>();
  const refused = new Set<Place>();
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    if (keyOf(string) === key) (accepts(string.value) ? found : refused).add(string.at?.parent);
  }
  for (const place of refused) found.delete(place);
  return found;
}
