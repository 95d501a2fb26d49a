// A person's computer in a temporary folder: a home with sessions, a workspace, and the editor's data.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryFolder } from './temporary.mjs';

/** The project's folder, which is also the extension under development. */
export const project = join(import.meta.dirname, '..', '..');

/** Another extension, which uses the API of the one in development. Tests run it. */
export const sampleExtension = join(project, 'test', 'sampleExtension');

const sampleStore = join(project, 'out', 'test', 'fixtures', 'sampleStore.js');

/** Settings that turn off welcome pages and promotions, so that the extension is visible. */
export const calm = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // The window and the server are on one machine, so nothing has to be forwarded, and nothing asked about it.
  'remote.autoForwardPorts': false,
  // Otherwise the extension host starts a process every two seconds that looks for ports.
  'remote.autoForwardPortsSource': 'output',
};

/** The same for the samples. Their folder is new and ours, so there is nothing to distrust. */
export const calmAndTrusted = { ...calm, 'security.workspace.trust.enabled': false };

/** Settings for tests, which also turn off questions and animations. */
export const still = {
  ...calmAndTrusted,
  'workbench.reduceMotion': 'on',
  // A click on the icon of a view that has just opened by itself would close it again.
  'workbench.activityBar.iconClickBehavior': 'focus',
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'window.title': 'Pi Session Tree tests',
  'window.confirmBeforeClose': 'never',
  'window.restoreWindows': 'none',
  'editor.cursorBlinking': 'solid',
  'git.openRepositoryInParentFolders': 'never',
  'http.proxySupport': 'off',
  // Otherwise rows would expand by themselves when a test opens an editor.
  'sessionTree.autoReveal': false,
};

/**
 * Makes a fresh home in the temp folder, filled with the sample sessions.
 * @returns {Promise<Home>}
 *
 * @typedef {object} Home
 * @property {string} folder all of it
 * @property {string} workspace the folder to open
 * @property {string} session the newest session of that folder
 * @property {string} data for the editor's own data
 * @property {NodeJS.ProcessEnv} env with HOME set to the sample home, and nothing that points at other sessions
 * @property {() => void} remove also done at the end of this process
 */
export async function makeHome() {
  const { path: folder, remove } = temporaryFolder();
  const { home, workspace, session } = await writeSample(folder);
  return {
    folder,
    workspace,
    session,
    data: join(folder, 'editor'),
    env: {
      ...withoutEditor(process.env),
      ...unset(process.env, /^(PI|OMP|JENSEN|GSD|OPENCLAW)_|^XDG_DATA_HOME$/),
      HOME: home,
      USERPROFILE: home,
    },
    remove,
  };
}

/**
 * Writes an editor's user settings, unless it has some.
 * @param {string} user the folder of user settings: data/User of a server, User of a desktop editor
 * @param {Record<string, unknown>} settings
 */
export async function writeSettings(user, settings) {
  // In a remote window, settings of the machine, such as that for walkthroughs, come from a folder of their own.
  for (const folder of [user, join(user, '..', 'Machine')]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings, null, 2), { flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Returns an environment in which an editor starts normally, even in the terminal of another one. */
export function withoutEditor(env) {
  return { ...env, ...unset(env, /^(VSCODE|ELECTRON)_/) };
}

/** spawn() ignores variables that are undefined. */
function unset(env, pattern) {
  return Object.fromEntries(
    Object.keys(env)
      .filter((name) => pattern.test(name))
      .map((name) => [name, undefined]),
  );
}

async function writeSample(folder) {
  if (!existsSync(sampleStore))
    throw new Error(`There are no sample sessions: ${sampleStore} is missing. "node esbuild.mjs --tests" builds it.`);
  const { writeSampleStore } = createRequire(import.meta.url)(sampleStore);
  return await writeSampleStore(folder);
}
