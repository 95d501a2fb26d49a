// Gets the oh-my-pi that judges its dialect. Its own dependencies of this version aren't in every registry, but the bundle
// in its tarball contains them all, except for a native module that its session code needs for a lock only.
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { exitOnSignals } from './processes.mjs';
import { unpackPackage } from './unpack.mjs';

const OMP = {
  title: 'oh-my-pi',
  name: '@oh-my-pi/pi-coding-agent',
  version: '18.3.4',
  integrity: 'sha512-7lqUxRbpmS51vtOSul4jZ/VIvkpUUNTUz/I0QIU75itSzqwSs766CJ4/eH5Hl54QVI1/Gt/bSDrV/MC+Qf5neA==',
  megabytes: 12,
};

const BUNDLE = 'dist/cli.js';

/** The exports of the bundle that the tests use. */
const EXPORTS = ['SessionManager', 'FileSessionStorage', 'buildSessionContext', 'listSessions', 'convertToLlm'];

/** The unpacked package. It contains the bundle only. */
export const ompFolder = join(import.meta.dirname, 'node_modules', `.omp-${OMP.version}`);

/**
 * Unpacks the bundle if it isn't there yet, as a module that exports its session code and starts no program.
 * @throws {Error} if the registry can't be reached, or has another file under this version
 */
export const installOmp = () =>
  unpackPackage(OMP, ompFolder, {
    keeps: (path) => path === BUNDLE,
    adapt: (_, content) => asModule(content.toString('utf8')),
    revision: '-1',
  });

/**
 * Turns the bundle into a module. Bun keeps the names of a source module's exports in an object, and calls a function
 * that runs the module before it uses that object; both are found by an exported name.
 */
function asModule(bundle) {
  const exported = EXPORTS.map((name) => {
    const found = new RegExp(String.raw`[{,]${name}:\(\)=>([\w$]+)`).exec(bundle)?.[1];
    if (!found) throw new Error(`oh-my-pi’s bundle has no ${name}.`);
    return `${found} as ${name}`;
  });
  const names = /var ([\w$]+)=\{\};[\w$]+\(\1,\{ForkSourceNotFoundError:/.exec(bundle)?.[1];
  const runs = names && new RegExp(String.raw`\(([\w$]+)\(\),${names.replaceAll('$', String.raw`\$`)}\)`).exec(bundle)?.[1];
  const start = /;[\w$]+\(\);export\{[\w$]+ as runCli\};\s*$/.exec(bundle);
  if (!runs || !start) throw new Error('oh-my-pi’s bundle has another shape than expected.');
  return [
    'import{absent}from"../../../bunStandIn.mjs";',
    bundle
      .slice(0, start.index + 1)
      .replace(/^#!.*\n/, '')
      .replace(/\bimport\.meta\.dir\b/g, 'import.meta.dirname')
      .replace(IMPORT, withoutPackages),
    `${runs}();export{${exported.join(',')}};\n`,
  ].join('\n');
}

/** An import of the bundle: `import*as a from"b"`, `import a from"b"` or `import{a as b}from"c"`. */
const IMPORT = /\bimport(?:\s*\*as ([\w$]+)|\s+([\w$]+)|\s*\{([^{}"'`();=]*)\})\s*from"([^"]+)";?/g;

/** Replaces an import of a package or of a part of Bun by a stand-in. */
function withoutPackages(all, space, whole, names, from) {
  if (isBuiltin(from)) return all;
  const module = `absent(${JSON.stringify(from)})`;
  if (space) return `var ${space}=${module};`;
  return whole ? `var ${whole}=${module}.default;` : `var{${names.replaceAll(' as ', ':')}}=${module};`;
}

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  await installOmp();
  console.log(`oh-my-pi ${OMP.version} is ready.`);
}
