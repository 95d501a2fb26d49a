/** The ID, the working directory and the program of a session, from the beginning of its file. */
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { asString } from '../../format/values/jsonValues';
import { readLine } from '../../format/parse/readLine';
import { TITLE_SLOT_BYTES } from '../../format/session/read/objectCollector';
import { isTitleSlotLine } from '../../format/write/sessionNames';
import { readStart } from '../io/smallFile';

/** Facts from the beginning of a session file. */
export interface SessionOrigin {
  readonly id?: string;
  readonly cwd?: string;
  readonly dialect?: Dialect;
}

/** Bytes that are searched for the header. */
const HEAD_BYTES = 64 * 1024;

/** Reads the ID and the working directory from the beginning of a file, and detects oh-my-pi by its title slot. */
export async function readSessionOrigin(path: string): Promise<SessionOrigin> {
  const text = await readStart(path, HEAD_BYTES).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
  for (const line of text.split('\n').slice(0, 20)) {
    const read = readLine(line);
    const header = read.kind === 'objects' ? read.objects.find(({ value }) => value['type'] === 'session')?.value : undefined;
    const [id, cwd] = [asString(header?.['id']), asString(header?.['cwd'])];
    if (header)
      return {
        ...defined({ id, cwd }),
        ...(isTitleSlotLine(text.slice(0, TITLE_SLOT_BYTES)) ? { dialect: 'omp' as const } : {}),
      };
  }
  return {};
}
