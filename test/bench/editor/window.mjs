// Starts a VS Code with many sessions: a window, and an extension host with a probe in it.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from '../../host/browser.mjs';
import { project } from '../../host/home.mjs';
import { workbenchAddress } from '../../host/page.mjs';
import { startServer } from '../../host/server.mjs';

/** Timeout for everything, in milliseconds. */
const PATIENCE = 120_000;

/**
 * Opens a window in which the extension isn't active yet.
 * @param {{ host: object, home: object, name: string, isBare?: boolean }} options `isBare`: with `bareExtension` in its place
 */
export async function openWindow({ host, home, name, isBare = false }) {
  const socket = join(home.folder, `${name}.sock`);
  const browser = await launchBrowser(join(home.folder, `browser-${name}`));
  const extension = await (isBare ? bareExtension(join(home.folder, 'bare')) : inactiveExtension(join(home.folder, 'extension')));
  const server = await startServer({ host, data: home.data, env: { ...home.env, PST_PROBE: socket } });
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  for (const name of ['codeAutomationLog', 'codeAutomationExit']) await page.exposeFunction(name, () => undefined);
  await page.setViewportSize({ width: 1280, height: 2400 });
  await page.goto(
    workbenchAddress({
      origin: server.origin,
      folder: home.workspace,
      extension,
      tests: join(extension, 'out', 'test', 'bench', 'editor', 'probe.js'),
    }),
  );
  const ask = (question, rest = {}) => asked(socket, { ask: question, ...rest });
  await until('the probe', async () => await ask('heap').catch(() => undefined));
  return {
    page,
    ask,
    close: async () => {
      await ask('end').catch(() => undefined);
      await browser.context.close();
      await server.stop();
    },
  };
}

/** Parts of the project that are copied. The probe is one of them, because it needs the extension's own API object. */
const PARTS = ['dist', 'l10n', 'media', 'package.nls.json', join('out', 'src'), join('out', 'test', 'bench')];

/** Copies the built extension without the event that activates it once the editor has started: the probe measures that. */
async function inactiveExtension(folder) {
  for (const name of PARTS) await cp(join(project, name), join(folder, name), { recursive: true });
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const activationEvents = manifest.activationEvents.filter((event) => event !== 'onStartupFinished');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents }));
  return folder;
}

/** The code of an extension that does nothing but show one row, and on request a page with one line of text. */
const BARE = `const vscode = require('vscode');
const PAGE = \`<!DOCTYPE html><body><main class="main">Empty</main><script>
performance.mark('ready');
requestAnimationFrame(() => performance.mark('rendered'));
</script></body>\`;
exports.activate = () => {
  const treeDataProvider = {
    getChildren: (row) => (row === undefined ? ['project0'] : []),
    getTreeItem: (row) => new vscode.TreeItem(row),
  };
  vscode.window.createTreeView('sessionTree.sessions', { treeDataProvider });
  vscode.commands.registerCommand('sessionTree.showContext', () => {
    const panel = vscode.window.createWebviewPanel('bare', 'Empty', vscode.ViewColumn.Active, { enableScripts: true });
    panel.webview.html = PAGE;
  });
};
`;

/** Writes an extension with the same view and one of the commands: its times are the editor's own. */
async function bareExtension(folder) {
  for (const name of ['media', 'package.nls.json', join('out', 'test', 'bench')])
    await cp(join(project, name), join(folder, name), { recursive: true });
  const { name, publisher, version, engines, extensionKind, contributes } = JSON.parse(
    await readFile(join(project, 'package.json'), 'utf8'),
  );
  const { viewsContainers, views } = contributes;
  const manifest = {
    name,
    publisher,
    version,
    engines,
    extensionKind,
    main: './dist/extension.js',
    contributes: { viewsContainers, views, commands: [{ command: 'sessionTree.showContext', title: 'Show Context' }] },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'dist', 'extension.js'), BARE);
  return folder;
}

function asked(socketPath, question) {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        const answer = JSON.parse(text);
        if (answer.error) reject(new Error(answer.error));
        else resolve(answer);
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(question));
  });
}

export async function until(what, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(20)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${what}: timed out after ${PATIENCE} ms`);
}

/** Finds the twistie of the first row whose spoken label contains a text: it says more than the row shows. */
export function twistieOf(page, text) {
  return page.locator(`.part.sidebar .monaco-list-row[aria-label*="${text}"]`).first().locator('.monaco-tl-twistie');
}

/** Resolves to the time (milliseconds since 1970) at which the side bar's rows first have a text. The page itself reports it. */
export function whenShown(page, text) {
  return page.evaluate(
    ({ text, patience }) =>
      new Promise((resolve, reject) => {
        const { document, MutationObserver } = globalThis;
        const rows = () => [...document.querySelectorAll('.part.sidebar .monaco-list-row')];
        const look = () =>
          rows().some((row) => `${row.textContent} ${row.getAttribute('aria-label')}`.replaceAll('\u00a0', ' ').includes(text)) &&
          done(Date.now());
        const watcher = new MutationObserver(look);
        const timer = setTimeout(() => done(undefined), patience);
        const done = (time) => {
          watcher.disconnect();
          clearTimeout(timer);
          if (time === undefined)
            reject(
              new Error(
                `“${text}” did not show; there were: ${rows()
                  .map((row) => row.textContent)
                  .join(' | ')}`,
              ),
            );
          else resolve(time);
        };
        watcher.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        look();
      }),
    { text, patience: 20_000 },
  );
}
