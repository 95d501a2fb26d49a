/** Puts oh-my-pi's images, which are files outside of the sessions, into the lines of an export. */
import type { Session } from '../../format/session/session';
import type { ExportPlan } from '../../format/write/exportPlan';
import { jsonStrings, withStrings, type JsonString } from '../../format/redact/jsonStrings';
import { isPicture } from '../../format/redact/imageMetadata';
import { imageFields } from '../../format/redact/imageFields';
import { SessionError } from '../../format/entry/problem';
import { hasMatch } from '../../format/text/searchSteps';
import { Yielder } from '../concurrency/eventLoop';
import { errorCode } from '../io/fileErrors';
import { readBlob } from '../read/blobs';
import { exportLines } from './exportLines';

/** Begins the name of an image in a line. */
const NAME = /"blob:sha256:/;
const NAME_LENGTH = '"blob:sha256:'.length;
const BLOB = /^blob:sha256:([0-9a-f]{64})$/;

/** Bytes of an image, and of all images of an export. Larger ones aren't part of it, which the page says in their place. */
const MAX_IMAGE = 8 * 1024 * 1024;
const MAX_ALL = 64 * 1024 * 1024;

/** Returns a function that puts images in the place of their names in a line. Other data stays a name. */
export function blobEmbedder(sessionPath: string, signal?: AbortSignal): (line: string) => Promise<string> {
  const turn = new Yielder(signal);
  let left = MAX_ALL;
  const imageOf = async (hash: string): Promise<string | undefined> => {
    const bytes = await readBlob(sessionPath, hash).catch((error: unknown) => {
      // The blob may have been replaced by anything.
      if (error instanceof SessionError || errorCode(error) !== undefined) return undefined;
      throw error;
    });
    if (!bytes || bytes.length > Math.min(MAX_IMAGE, left)) return undefined;
    const image = bytes.toString('base64');
    if (!isPicture(image)) return undefined;
    left -= bytes.length;
    return image;
  };
  return async (line) => {
    await turn.yieldIfDue();
    if (!(await turn.run(hasMatch(line, NAME, NAME_LENGTH)))) return line;
    const strings = await turn.run(jsonStrings(line));
    const values = new Map<JsonString, string>();
    for (const string of await turn.run(imageFields(strings))) {
      const hash = hashOf(string);
      const image = hash === undefined ? undefined : await imageOf(hash);
      if (image !== undefined) values.set(string, image);
    }
    return turn.run(withStrings(line, strings, values));
  };
}

/** Returns the hash in an image's place; `undefined` for other strings. */
const hashOf = ({ value }: JsonString): string | undefined => BLOB.exec(value)?.[1];

/** Returns the number of places in a plan where an HTML export has an image that is a file. @throws as `exportLines` */
export async function countFileImages(session: Session, plan: ExportPlan, signal?: AbortSignal): Promise<number> {
  let count = 0;
  const turn = new Yielder(signal);
  for await (const { text } of exportLines(session, plan, { signal }))
    if (await turn.run(hasMatch(text, NAME, NAME_LENGTH))) {
      const fields = await turn.run(imageFields(await turn.run(jsonStrings(text))));
      count += [...fields].filter((string) => hashOf(string) !== undefined).length;
    }
  return count;
}
