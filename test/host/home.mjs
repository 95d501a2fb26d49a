// A person's computer in a temp folder: a home with sessions, a workspace, and the editor's data.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The project's folder, which is also the extension under development. */
export const project = join(import.meta.dirname, '..', '..');

const sampleStore = join(project, 'out', 'test', 'fixtures', 'sampleStore.js');

/** What a test's editor is set to: nothing asks, nothing greets, nothing moves. */
const quiet = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'window.title': 'Pi Session Tree tests',
  'window.confirmBeforeClose': 'never',
  'window.restoreWindows': 'none',
  'editor.cursorBlinking': 'solid',
  'git.openRepositoryInParentFolders': 'never',
  'http.proxySupport': 'off',
};

/**
 * Makes a fresh home in the temp folder, filled with the sample sessions.
 * @returns {Promise<Home>}
 *
 * @typedef {object} Home
 * @property {string} folder all of it
 * @property {string} workspace the folder to open
 * @property {string} data for the editor's own data
 * @property {NodeJS.ProcessEnv} env with HOME set to the sample home, and nothing that points at other sessions
 * @property {() => Promise<void>} remove
 */
export async function makeHome() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pst-')));
  const { home, workspace } = await writeSample(folder);
  return {
    folder,
    workspace,
    data: join(folder, 'editor'),
    env: { ...withoutEditor(process.env), ...unset(process.env, /^(PI|OMP|JENSEN|GSD|OPENCLAW)_|^XDG_DATA_HOME$/), HOME: home, USERPROFILE: home },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Writes the test's editor settings.
 * @param {string} user the folder of user settings: data/User of a server, User of a desktop editor
 */
export async function writeTestSettings(user) {
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'settings.json'), JSON.stringify(quiet, null, 2));
}

/** An environment in which an editor starts afresh, also from inside another one's terminal. */
export function withoutEditor(env) {
  return { ...env, ...unset(env, /^(VSCODE|ELECTRON)_/) };
}

/** spawn() leaves out what is undefined. */
function unset(env, pattern) {
  return Object.fromEntries(Object.keys(env).filter((name) => pattern.test(name)).map((name) => [name, undefined]));
}

async function writeSample(folder) {
  if (!existsSync(sampleStore)) {
    const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
    await Promise.all([home, workspace].map((path) => mkdir(path)));
    return { home, workspace };
  }
  const { writeSampleStore } = createRequire(import.meta.url)(sampleStore);
  return await writeSampleStore(folder);
}
