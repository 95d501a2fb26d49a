// Turns imports of the core's entry point into imports of the modules that have the names. With an entry point, esbuild
// loads all modules that it reaches without `import()`, and through the core's entry point these would be the whole core.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

const SOURCE = resolve('src') + sep;
const CORE = join(SOURCE, 'core') + sep;

const EXPORT = /^export \{([^}]*)\} from '(.*)';$/gm;
const EXPORT_ALL = /^export \* from '(.*)';$/gm;
const DECLARATION = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const IMPORT = /^import \{([^}]*)\} from '([./]*\/core\/index)';$/gm;
const LATER = /\bconst \{([^}]*)\} = await loadCode\(\(\) => import\('([./]*\/core\/index)'\), ([\w.]+)\);$/gm;

/** @type {import('esbuild').Plugin} */
export const directImports = {
  name: 'direct-imports',
  setup: (build) => {
    let modules;
    build.onStart(() => void (modules = modulesOfValues()));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(SOURCE) || path.startsWith(CORE)) return undefined;
      const each = (list, from, write) => {
        const imports = valuesIn(list).map(([name, local]) => {
          const value = modules.get(name);
          if (!value) throw new Error(`${path}: the core exports no value “${name}”.`);
          return write(value.name, local, join(dirname(from), value.module).replaceAll('\\', '/'));
        });
        // Lines keep their numbers.
        return imports.join(' ') + '\n'.repeat(list.split('\n').length - 1);
      };
      const contents = (await readFile(path, 'utf8'))
        .replaceAll(IMPORT, (_, list, from) =>
          each(list, from, (name, local, module) => `import { ${name} as ${local} } from '${module}';`),
        )
        .replaceAll(LATER, (_, list, from, onError) =>
          each(list, from, (name, local, module) => `const { ${name}: ${local} } = await loadCode(() => import('${module}'), ${onError});`),
        );
      const left = /^.*'[./]*\/core\/index'.*$/m.exec(contents.replace(/^(?:import|export) type [^;]*;$/gm, ''));
      if (left) throw new Error(`${path} would load the whole core: ${left[0]}`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Returns where the entry point's values are: the module of each, and its name there. */
function modulesOfValues() {
  const index = readFileSync(join(CORE, 'index.ts'), 'utf8');
  const named = [...index.matchAll(EXPORT)].flatMap(([, list, module]) => valuesIn(list).map(([name, as]) => [as, { name, module }]));
  const others = [...index.matchAll(EXPORT_ALL)].flatMap(([, module]) =>
    [...readFileSync(join(CORE, `${module}.ts`), 'utf8').matchAll(DECLARATION)].map(([, name]) => [name, { name, module }]),
  );
  return new Map([...named, ...others]);
}

/** Returns the name and the local name of each value in a list such as `one, two as second, type Third`. */
function valuesIn(list) {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => item.split(/ as /))
    .map(([name, local = name]) => [name, local]);
}
