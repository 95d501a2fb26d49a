// Gets one package from the npm registry without its dependencies, for programs whose code runs from their tarball alone.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { npm } from './install.mjs';

/**
 * Unpacks a package into a folder, unless it is there already.
 *
 * @param {object} wanted
 * @param {string} wanted.title names the program in messages
 * @param {string} wanted.name
 * @param {string} wanted.version
 * @param {string} wanted.integrity the hash of the tarball, as in a lockfile
 * @param {number} wanted.megabytes the size of the tarball
 * @param {string} folder
 * @param {object} [how]
 * @param {(path: string) => boolean} [how.keeps] decides which files are unpacked; by default all
 * @param {(path: string, content: Buffer) => Buffer | string} [how.adapt] changes a file before it is written
 * @param {string} [how.revision] changes whenever `keeps` or `adapt` does
 * @throws {Error} if the registry can't be reached, or has another file under this version
 */
export async function unpackPackage({ title, name, version, integrity, megabytes }, folder, how = {}) {
  const { keeps = () => true, adapt = (_, content) => content, revision = '' } = how;
  const stamp = join(folder, '.complete');
  const complete = `${integrity}${revision}`;
  if ((await readFile(stamp, 'utf8').catch(() => '')) === complete) return;
  console.log(`Getting ${title} ${version} from the npm registry (once; ${String(megabytes)} MB) …`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await npm(folder, ['pack', `${name}@${version}`, '--ignore-scripts'], `${title} ${version}`);
  const tarball = join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`);
  const packed = await readFile(tarball);
  const found = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  if (found !== integrity) throw new Error(`The registry’s ${name}@${version} isn’t the expected file: its hash is ${found}.`);
  for (const { path, content } of filesIn(gunzipSync(packed))) {
    if (!keeps(path)) continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, adapt(path, content));
  }
  await rm(tarball);
  await writeFile(stamp, complete);
}

const BLOCK = 512;

/** The files in a tar archive as npm writes it, without the folder that they all are in. */
function* filesIn(tar) {
  const text = (at, length) => tar.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155);
    const path = `${prefix}${prefix && '/'}${text(at, 100)}`;
    const begin = at + BLOCK;
    if (text(at + 156, 1) === '0') yield { path: path.slice('package/'.length), content: tar.subarray(begin, begin + size) };
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
}
