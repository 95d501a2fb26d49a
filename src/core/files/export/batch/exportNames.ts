/** Names of exported files. They hold nothing that was said, which could be a secret, and are valid on every system. */
import type { SessionHeader } from '../../../format/entry/entry';
import { FORMAT_FACTS, type ExportFormat } from '../exportFormats';

/** Returns the name without its extension: the day and the end of the id. */
export function exportName({ timestamp, id }: Pick<SessionHeader, 'timestamp' | 'id'>): string {
  return plain(`session-${timestamp.slice(0, 10)}-${id.slice(-8)}`);
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
