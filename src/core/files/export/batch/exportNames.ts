/**
 * Names of exported files, which are valid on every system. They hold nothing that was said, which could be a secret, except for the
 * name that is suggested for a single file: it has the title, without secrets.
 */
import { Buffer } from 'node:buffer';
import type { SessionHeader } from '../../../format/entry/entry';
import { beginning } from '../../../format/text/characters';
import { FORMAT_FACTS, type ExportFormat } from '../exportFormats';

/** Returns the name without its extension: the day and the end of the id. */
export function exportName({ timestamp, id }: Pick<SessionHeader, 'timestamp' | 'id'>): string {
  return plain(`session-${timestamp.slice(0, 10)}-${id.slice(-8)}`);
}

/** UTF-16 units and bytes of a title in a file's name. Systems allow 255 bytes for the whole name. */
const [MAX_TITLE, MAX_TITLE_BYTES] = [60, 120];

/** Returns a name with the day and the title, in letters and digits of any alphabet; without a title as {@link exportName} does. */
export function titledExportName(header: Pick<SessionHeader, 'timestamp' | 'id'>, title: string): string {
  const words = title
    .slice(0, 1000)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^[-\p{M}]+|-+$/gu, '');
  let short = beginning(words, MAX_TITLE);
  while (Buffer.byteLength(short) > MAX_TITLE_BYTES) short = beginning(short, short.length - 1);
  // A word isn't cut if there are others.
  if (short.length < words.length && words.charAt(short.length) !== '-') short = short.replace(/-[^-]*$/, '');
  short = short.replace(/-$/, '');
  return short === '' ? exportName(header) : `${plain(header.timestamp.slice(0, 10))}-${short}`;
}

/** Characters that are plain in file names, addresses and Markdown everywhere. A name that ends in a dot isn't one on Windows. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);

/** Returns a name for each session, with a number after names that are alike. Names that differ only in case count as alike. */
export function exportNames(headers: readonly Pick<SessionHeader, 'timestamp' | 'id'>[], format: ExportFormat): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return headers.map((header) => {
    const name = exportName(header);
    const key = name.toLowerCase();
    let free = name;
    for (let count = counts.get(key) ?? 1; taken.has(free.toLowerCase());) {
      free = `${name}-${String(++count)}`;
      counts.set(key, count);
    }
    taken.add(free.toLowerCase());
    return `${free}.${FORMAT_FACTS[format].extension}`;
  });
}
