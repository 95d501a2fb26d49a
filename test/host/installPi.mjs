// Gets the pi that the conformance tests compare with. Its tarball alone is enough: the bundle in it needs no other package.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { npm } from './install.mjs';
import { exitOnSignals } from './processes.mjs';

const VERSION = '1.5.2';
const INTEGRITY = 'sha512-mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==';

const modules = join(import.meta.dirname, 'node_modules');

/** The unpacked package. */
export const piFolder = join(modules, `.pi-${VERSION}`);

/**
 * Unpacks the package if it isn't there yet.
 * @throws {Error} if the registry can't be reached, or has another file under this version
 */
export async function installPi() {
  const stamp = join(piFolder, '.complete');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === INTEGRITY) return;
  console.log(`Getting pi ${VERSION} from the npm registry (once; 8 MB) …`);
  await rm(piFolder, { recursive: true, force: true });
  await mkdir(piFolder, { recursive: true });
  const name = '@earendil-works/pi-coding-agent';
  await npm(piFolder, ['pack', `${name}@${VERSION}`, '--ignore-scripts'], `pi ${VERSION}`);
  const tarball = join(piFolder, `${name.slice(1).replace('/', '-')}-${VERSION}.tgz`);
  const packed = await readFile(tarball);
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  if (integrity !== INTEGRITY) throw new Error(`The registry’s ${name}@${VERSION} isn’t the expected file: its hash is ${integrity}.`);
  for (const { path, content } of filesIn(gunzipSync(packed))) {
    const target = join(piFolder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  await rm(tarball);
  await writeFile(stamp, INTEGRITY);
}

const BLOCK = 512;

/** The files in a tar archive as npm writes it, without the folder that they all are in. */
function* filesIn(tar) {
  const text = (at, length) => tar.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const path = join(text(at + 345, 155), text(at, 100));
    const begin = at + BLOCK;
    if (text(at + 156, 1) === '0') yield { path: path.slice('package/'.length), content: tar.subarray(begin, begin + size) };
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
}

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  await installPi();
  console.log(`pi ${VERSION} is ready.`);
}
