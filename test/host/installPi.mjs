// Gets the pi that the conformance tests compare with. Its tarball alone is enough: the bundle in it needs no other package.
import { join } from 'node:path';
import { exitOnSignals } from './processes.mjs';
import { unpackPackage } from './unpack.mjs';

const PI = {
  title: 'pi',
  name: '@earendil-works/pi-coding-agent',
  version: '1.5.2',
  integrity: 'sha512-mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==',
  megabytes: 8,
};

/** The unpacked package. */
export const piFolder = join(import.meta.dirname, 'node_modules', `.pi-${PI.version}`);

/**
 * Unpacks the package if it isn't there yet.
 * @throws {Error} if the registry can't be reached, or has another file under this version
 */
export const installPi = () => unpackPackage(PI, piFolder);

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  await installPi();
  console.log(`pi ${PI.version} is ready.`);
}
