// npm run race [-- --minutes N --seed N --pi-only]: builds, installs Bun and the real oh-my-pi from the npm registry,
// and runs a race.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installOldPi } from '../host/installOldPi.mjs';

const here = import.meta.dirname;
const project = join(here, '..', '..');
const modules = join(here, 'node_modules');
const args = process.argv.slice(2);
const alone = args.includes('--pi-only');

/** Runs a program to its end. If it fails, this process ends, too. */
function run(command, given, cwd) {
  const { status, error } = spawnSync(command, given, { cwd, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Installs the versions in the lockfile, unless they are there. `npm ci` would refuse, because the lockfile has the native
 * packages of one platform only; `npm install` adds those of this one.
 */
function install() {
  const stamp = join(modules, '.complete');
  const wanted = createHash('sha256')
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Getting Bun and oh-my-pi from the npm registry (once; half a minute, 1.5 GB on disk) …');
  const cli = process.env.npm_execpath;
  const [command, first] = cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []];
  run(command, [...first, 'install', '--no-save', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], here);
  writeFileSync(stamp, wanted);
}

/** Returns the program in the package for this machine. */
function bun() {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform];
  const processor = { x64: 'x64', arm64: 'aarch64' }[process.arch];
  return join(modules, '@oven', `bun-${platform}-${processor}`, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
}

await installOldPi();
if (!alone) install();
run(process.execPath, ['esbuild.mjs', '--tests'], project);
const others = alone ? [] : ['--bun', bun(), '--omp', join(modules, '@oh-my-pi', 'pi-coding-agent')];
run(
  process.execPath,
  ['--enable-source-maps', join('out', 'test', 'race', 'main.js'), ...args.filter((one) => one !== '--pi-only'), ...others],
  project,
);
