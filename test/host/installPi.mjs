// Gets the versions of pi that the conformance tests compare with. Their tarballs alone are enough: the bundle in them
// needs no other package, except that code mode of 1.6.0 loads the engine of its scripts from one, and extensions another.
import { join } from 'node:path';
import { exitOnSignals } from './processes.mjs';
import { unpackPackage } from './unpack.mjs';

const PI = { title: 'pi', name: '@earendil-works/pi-coding-agent', megabytes: 8 };
const INTEGRITIES = {
  '1.5.2': 'sha512-mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==',
  '1.6.0': 'sha512-zX1BVEsshx7A2MRuQ6jfr3RJGWw4Wn+vLq5ZfmlvS1RskhRmByaSZVXH/zcwRrWHO7qPgs98pNCbPOEti/t0fQ==',
};
const SCRIPT_ENGINE = {
  title: 'the engine of code mode,',
  name: 'quickjs-wasi',
  version: '3.6.2',
  integrity: 'sha512-FCqGtGOrMgzUiIrMNMA2YnsOxCNwo31dzqXvclXUC6xeT35NJLKXQJsvbeCTjvoFAwZgEAPg8U6+KAPDGXn8Mg==',
  megabytes: 1,
};
const EXTENSION_LOADER = {
  title: 'the loader of extensions,',
  name: 'jiti',
  version: '2.7.0',
  integrity: 'sha512-AC/7JofJvZGrrneWNaEnJeOLUx+JlGt7tNa0wZiRPT4MY1wmfKjt2+6O2p2uz2+skll8OZZmJMNqeke7kKbNgQ==',
  megabytes: 1,
};

const folderOf = (version) => join(import.meta.dirname, 'node_modules', `.pi-${version}`);

/** The unpacked package of the version that most tests and the benchmarks compare with. */
export const piFolder = folderOf('1.5.2');

/**
 * Unpacks that package if it isn't there yet.
 * @throws {Error} if the registry can't be reached, or has another file under this version
 */
export const installPi = () => unpackVersion('1.5.2');

/** Does the same with pi 1.6.0, which answers for what it brought. */
export async function installNewestPi() {
  const folder = folderOf('1.6.0');
  await unpackVersion('1.6.0');
  for (const each of [SCRIPT_ENGINE, EXTENSION_LOADER]) await unpackPackage(each, join(folder, 'node_modules', each.name));
}

const unpackVersion = (version) => unpackPackage({ ...PI, version, integrity: INTEGRITIES[version] }, folderOf(version));

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  await installPi();
  await installNewestPi();
  console.log(`pi ${Object.keys(INTEGRITIES).join(' and ')} are ready.`);
}
