/** Names as the programs make them: ids, file names, folders, and oh-my-pi's title slot. */
import { defined } from '../values/defined';
import { DIALECT_FACTS, type Dialect } from '../entry/dialect';
import { asString, isObject } from '../values/jsonValues';
import { SessionError } from '../entry/problem';
import { beginning } from '../text/characters';
import { TITLE_SLOT_BYTES } from '../session/read/objectCollector';

/** Source of new ids and times, passed in so that functions depend on their arguments only. */
export interface Stamp {
  /** Eight random hex digits. */
  readonly id: () => string;
  readonly now: () => Date;
}

/** Returns an unused entry id. */
export function newEntryId(stamp: Stamp, taken: { has(id: string): boolean }): string {
  for (let tries = 0; tries < 100; tries++) {
    const id = stamp.id();
    if (!taken.has(id)) return id;
  }
  throw new SessionError('invalid', 'Couldn’t find a free entry ID.');
}

/** Returns a session id: a UUID of version 7, which begins with the time. */
export function newSessionId(stamp: Stamp): string {
  const time = stamp.now().getTime().toString(16).padStart(12, '0');
  const random = `${stamp.id()}${stamp.id()}${stamp.id()}`;
  const variant = ((parseInt(random.slice(3, 4), 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** Returns the name of a new session's file. OpenClaw's have no time. */
export function sessionFileName(dialect: Dialect, timestamp: string, sessionId: string): string {
  return DIALECT_FACTS[dialect].folders.layout === 'agents'
    ? `${sessionId}.jsonl`
    : `${timestamp.replace(/[:.]/g, '-')}_${sessionId}.jsonl`;
}

interface HomeAndTemp {
  readonly home: string;
  readonly temp: string;
}

/**
 * Returns the name of a project's folder in a root. Different projects may have the same name; only the header's `cwd`
 * is reliable. FORMAT section 1.
 */
export function projectFolderName(cwd: string, dialect: Dialect, { home, temp }: HomeAndTemp): string {
  if (dialect === 'omp') {
    const inTemp = relativeTo(cwd, temp);
    if (inTemp !== undefined) return inTemp === '' ? '-tmp' : `-tmp-${dashes(inTemp)}`;
    const inHome = relativeTo(cwd, home);
    if (inHome !== undefined) return `-${dashes(inHome)}`;
  }
  return `--${dashes(cwd.replace(/^[/\\]/, ''))}--`;
}

const dashes = (path: string): string => path.replace(/[/\\:]/g, '-');

/** Returns `path` relative to `folder`, empty if it's the folder itself; `undefined` if it's outside. */
function relativeTo(path: string, folder: string): string | undefined {
  if (folder === '') return undefined;
  if (path === folder) return '';
  const separator = path.charAt(folder.length);
  return path.startsWith(folder) && (separator === '/' || separator === '\\') ? path.slice(folder.length + 1) : undefined;
}

export interface TitleSlot {
  readonly title: string;
  readonly source?: 'auto' | 'user';
  /** ISO 8601. */
  readonly updatedAt: string;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Returns oh-my-pi's first line, exactly 256 bytes with its line break. A title that doesn't fit is cut between characters. */
export function titleSlotLine(slot: TitleSlot): string {
  let title = beginning(slot.title, TITLE_SLOT_BYTES);
  for (;;) {
    const text = (pad: string): string =>
      `${JSON.stringify({ type: 'title', v: 1, title, ...defined({ source: slot.source }), updatedAt: slot.updatedAt, pad })}\n`;
    const room = TITLE_SLOT_BYTES - bytes(text(''));
    if (room >= 0) return text(' '.repeat(room));
    title = beginning(title, title.length - 1);
  }
}

/** Returns whether oh-my-pi recognizes a line as its title slot, so that it may be overwritten in place. */
export function isTitleSlotLine(line: string): boolean {
  if (bytes(line) !== TITLE_SLOT_BYTES || !line.endsWith('\n') || line.indexOf('\n') !== line.length - 1) return false;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return false;
  }
  if (!isObject(value) || value['type'] !== 'title' || value['v'] !== 1) return false;
  const { source } = value;
  return (
    ['title', 'updatedAt', 'pad'].every((key) => asString(value[key]) !== undefined) &&
    (source === undefined || source === 'auto' || source === 'user')
  );
}
