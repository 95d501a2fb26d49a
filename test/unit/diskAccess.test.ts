import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const SOURCE = resolve(__dirname, '../../../src');

/** Functions of `node:fs` that read whatever is at a path, however large, and wait for it, however long. */
const READING = new Set(['readFile', 'readFileSync', 'createReadStream', 'open', 'openSync', '*']);

/** The modules that may import them, with the reason. All others read with `smallFile` or `regularFile`. */
const READERS: Readonly<Record<string, { readonly names: readonly string[]; readonly reason: string }>> = {
  'core/files/io/regularFile': { names: ['open', 'open'], reason: 'opens regular files alone, for everyone' },
  'core/files/sync/regularFileSync': { names: ['openSync'], reason: 'the same on worker threads' },
  'core/files/io/disk': { names: ['*'], reason: 'the calls that write, of which each checks what it opens' },
  'core/files/io/untrustedPaths': { names: ['readFile'], reason: '/proc/self/mountinfo, which the kernel answers from memory' },
  'core/files/presence/agents': { names: ['readFileSync'], reason: '/proc/<pid>/cmdline, on the thread for processes' },
  'core/files/presence/openFiles': {
    names: ['readFile', 'readFileSync'],
    reason: '/proc/<pid>/comm and fdinfo, which the kernel answers from memory',
  },
  'core/files/storage/privateStorage': { names: ['open'], reason: 'the extension’s own storage: new files and lines at the end' },
  'core/files/storage/sqliteLock': { names: ['openSync'], reason: 'the extension’s own storage: the lock between windows' },
  'core/files/trash/trashEntry': {
    names: ['open'],
    reason: 'a note beside what was deleted, made new in a folder that was made a moment ago',
  },
  'core/catalog/database/database': {
    names: ['openSync'],
    reason: 'the extension’s own storage: makes the database’s file for its owner alone',
  },
};

/** The modules that read through the editor, and why their addresses are safe. */
const EDITOR_READERS: Readonly<Record<string, string>> = {
  'commands/review/promptEditors': 'unsaved texts of ours',
  'commands/open/openCommands': 'a session file, seen to be a regular one and not above 50 MB',
  'commands/handler/reportDocuments': 'a document of ours',
  'commands/lines/fileVersionCommands': 'an open document, a regular file that is on no other computer, or an unsaved text',
  'commands/lines/review/describeCommands': 'an unsaved text of ours',
  'commands/lines/whyThisLine': 'an open document, or a regular file that the caller names',
  'documents/sessionDocuments': 'a document of ours',
};

/** The modules in the extension host that may import synchronous functions of `node:fs`. */
const SYNCHRONOUS: Readonly<Record<string, string>> = {
  'core/files/sync/regularFileSync': 'worker threads, and the getters of the documented SessionManager, which answer at once',
  'core/files/sync/readAtSync': 'worker threads, and the getters of SessionManager',
  'core/files/sync/sessionBytesSync': 'worker threads, and the getters of SessionManager',
  'core/files/sync/unpackedBytesSync': 'worker threads, and the getters of SessionManager',
  'core/files/database/thread/readDatabase': 'worker threads, and the getters of SessionManager',
  'core/files/database/sqlite/databasePages': 'worker threads, and the getters of SessionManager',
  'core/files/database/sqlite/databaseStamps': 'between calls of SQLite, which are synchronous; the disk was asked for the path before',
  'core/files/locate/programs/programFolders': 'SessionManager.create, which answers at once',
  'core/files/presence/system': '/proc, on the thread for processes',
  'core/files/presence/agents': '/proc, on the thread for processes',
  'core/files/presence/openFiles': '/proc, on the thread for processes',
  'core/catalog/database/database': 'the extension’s own storage, which SQLite reads synchronously anyway',
  'core/files/storage/sqliteLock': 'the extension’s own storage, which SQLite reads synchronously anyway',
  'core/catalog/database/readingConnection': 'the extension’s own storage',
};

/**
 * Parts of the core's API that would block the host, so no code outside the core may use them. `createWriter` is
 * allowed with the thread for processes.
 */
const NOT_IN_THE_HOST = ['SessionManager', 'presence'];

interface Import {
  readonly to: string;
  readonly names: readonly string[];
}

const modules: readonly string[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => name.split(sep).join('/').replace(/\.ts$/, ''));

const textOf = (module: string): string => readFileSync(join(SOURCE, `${module}.ts`), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');

/** Returns the run-time imports of a module; `*` stands for all of a module's exports. */
function importsOf(module: string): Import[] {
  return [...textOf(module).matchAll(/^(?:import|export)\s+(?!type\b)([^;'"]*?)\bfrom\s+'([^']+)'/gm)].flatMap(
    ([, what = '', from = '']) => {
      const inBraces = /\{([^}]*)\}/.exec(what)?.[1];
      const names =
        inBraces === undefined
          ? ['*']
          : inBraces.split(',').flatMap((name) => (/^\s*(type\s|$)/.test(name) ? [] : [name.trim().split(/\s/)[0]!]));
      const to = from.startsWith('.')
        ? relative(SOURCE, resolve(SOURCE, dirname(module), from))
            .split(sep)
            .join('/')
        : from;
      return names.length === 0 ? [] : [{ to, names }];
    },
  );
}

const fsNamesOf = (module: string): string[] =>
  importsOf(module).flatMap(({ to, names }) => (/^(node:)?fs(\/promises)?$/.test(to) ? names : []));

function reachableFrom(entry: string): Set<string> {
  const found = new Set([entry]);
  for (const module of found) for (const { to } of importsOf(module)) if (modules.includes(to)) found.add(to);
  return found;
}

describe('access to the disk', () => {
  it('is seen at all', () => {
    assert.deepEqual(fsNamesOf('core/files/io/regularFile').sort(), ['close', 'constants', 'lstat', 'open', 'open', 'read', 'stat']);
    assert.ok(fsNamesOf('core/files/io/disk').includes('*'));
    assert.deepEqual(
      modules.filter(
        (module) =>
          /\b(require|getBuiltinModule)\(\s*['"](node:)?fs/.test(textOf(module)) || /import\(\s*['"](node:)?fs/.test(textOf(module)),
      ),
      [],
    );
  });

  it('is by one of two helpers where others choose the path', () => {
    const found = Object.fromEntries(
      modules.flatMap((module) => {
        const names = fsNamesOf(module)
          .filter((name) => READING.has(name))
          .sort();
        return names.length === 0 ? [] : [[module, names]];
      }),
    );
    assert.deepEqual(found, Object.fromEntries(Object.entries(READERS).map(([module, { names }]) => [module, [...names].sort()])));
  });

  it('goes through the editor only for what is known to be safe', () => {
    const found = modules.filter((module) => /\bworkspace\.(openTextDocument|fs\.(readFile|copy))\b/.test(textOf(module)));
    assert.deepEqual(found.sort(), Object.keys(EDITOR_READERS).sort());
  });

  it('is asynchronous in the extension host', () => {
    const found = [...reachableFrom('extension')].filter((module) => fsNamesOf(module).some((name) => name.endsWith('Sync')));
    assert.deepEqual(found.sort(), Object.keys(SYNCHRONOUS).sort());
    const used = modules
      .filter((module) => !module.startsWith('core/'))
      .flatMap((module) =>
        importsOf(module)
          .filter(({ names }) => names.some((name) => NOT_IN_THE_HOST.includes(name)))
          .map(() => module),
      );
    assert.deepEqual(used, []);
    assert.match(textOf('activation/sessionData'), /processes: processes\.inspect/, 'processes are looked at on their thread');
  });
});
