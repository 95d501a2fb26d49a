// Gets pi-subagents, an extension of pi whose runs test the families of sessions. Its tarball has its source; what it needs
// for runs in the foreground are two of its packages, which have no others. pi loads the rest from its own bundle.
import { join } from 'node:path';
import { exitOnSignals } from './processes.mjs';
import { unpackPackage } from './unpack.mjs';

const PI_SUBAGENTS = {
  title: 'pi-subagents',
  name: 'pi-subagents',
  version: '0.67.0',
  integrity: 'sha512-43FGBi82sbxEGhEfsaj0P7I/rRJfsw1UPuFSVSkjZw0Fy92lrBIB9d3gDTpwmK5hLj3ZzZUnvtlqiKQatySCTw==',
  megabytes: 2,
};
const PACKAGES = [
  {
    title: 'its parser of scripts, acorn',
    name: 'acorn',
    version: '8.18.0',
    integrity: 'sha512-lGq+9yr1/GuAWaVYIHRjvvySG5/4VfKIvC8EWxStPdcDh/Ka7FG3twP6v4d5BkravUilhIAsG4Qj83t02LWUPQ==',
    megabytes: 1,
  },
  {
    title: 'its parser of agents, yaml',
    name: 'yaml',
    version: '2.8.3',
    integrity: 'sha512-AvbaCLOO2Otw/lW5bmh9d/WEdcDFdQp2Z2ZUH3pX9U2ihyUY0nvLv7J6TrWowklRGPYbB/IuIMfYgxaCPg5Bpg==',
    megabytes: 1,
  },
];

const folder = join(import.meta.dirname, 'node_modules', `.pi-subagents-${PI_SUBAGENTS.version}`);

/**
 * Unpacks the packages that aren't there yet.
 * @throws {Error} if the registry can't be reached, or has another file under a version
 */
export async function installPiSubagents() {
  await unpackPackage(PI_SUBAGENTS, folder);
  for (const each of PACKAGES) await unpackPackage(each, join(folder, 'node_modules', each.name));
}

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  await installPiSubagents();
  console.log(`pi-subagents ${PI_SUBAGENTS.version} is ready.`);
}
