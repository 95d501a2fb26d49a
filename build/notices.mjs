// Writes ThirdPartyNotices.txt: the licenses of all packages whose code is in the build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The compiler of src/core/format/wasm adds its standard library to the module, which no metafile lists. */
const COMPILED = ['node_modules/assemblyscript'];

const RULE = '='.repeat(80);

/**
 * @param {string} path
 * @param {import('esbuild').Metafile[]} metafiles of everything in the build
 * @throws {Error} if a package has no license file
 */
export function writeNotices(path, metafiles) {
  const texts = bundledPackages(metafiles.flatMap(({ inputs }) => Object.keys(inputs))).map(noticeOf);
  const head = 'Pi Session Tree contains code of the following packages.';
  writeFileSync(path, `${[head, ...texts].join(`\n\n${RULE}\n\n`)}\n`);
}

/** Returns the folders of the packages that files are part of, sorted. */
export function bundledPackages(files) {
  const folders = files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? []);
  return [...new Set([...folders, ...COMPILED])].sort();
}

function noticeOf(folder) {
  const { name, version, license, homepage = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0) throw new Error(`${folder} is bundled and has no license file.`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}\n${license}\n${homepage}`.trim(), ...texts].join('\n\n');
}
