/** Shares the test files out among editors that run at the same time. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the files of one editor. The size of a file stands for the time that its tests take: the largest file comes
 * first, and each goes to the editor that has the least so far.
 *
 * @param shard such as `1/2`: the first of two editors
 * @throws if there is no such editor
 */
export function filesOfShard(folder: string, names: readonly string[], shard: string): string[] {
  const [number = 0, count = 0] = shard.split('/').map(Number);
  const editors = Array.from({ length: count }, () => ({ size: 0, names: [] as string[] }));
  const sized = names.map((name) => ({ name, size: statSync(join(folder, name)).size }));
  for (const { name, size } of sized.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))) {
    const editor = editors.reduce((least, other) => (other.size < least.size ? other : least));
    editor.names.push(name);
    editor.size += size;
  }
  const own = editors[number - 1];
  if (!own) throw new Error(`There is no shard ${shard}`);
  return own.names.sort();
}
