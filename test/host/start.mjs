// npm start: opens the extension in a VS Code, with the person's own sessions or with samples.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openInBrowser } from './browse.mjs';
import { findDesktop, openDesktop } from './desktop.mjs';
import { calm, calmAndTrusted, makeHome, project, withoutEditor, writeSettings } from './home.mjs';
import { installHost } from './install.mjs';
import { workbenchAddress } from './page.mjs';
import { exitOnSignals } from './processes.mjs';
import { startServer } from './server.mjs';
import { build } from './steps.mjs';

const usage = `npm start -- [options]
  --sample         open the sample sessions, even if there are sessions of your own
  --workspace DIR  the folder to open
  --browser        use the VS Code from the npm registry in the browser, even if there is one on this machine
  --port N         where to serve that one (default: a free port)
  --no-open        only print its address`;

/**
 * The VS Code from the registry comes without TypeScript, which its own extension needs for the sample's files: otherwise it
 * reports an error as soon as one of them is open.
 */
const typescript = { 'js/ts.tsdk.path': join(project, 'node_modules', 'typescript', 'lib') };

exitOnSignals();
try {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(['sample', 'browser', 'no-open', 'help'].map((name) => [name, { type: 'boolean' }])),
      ...Object.fromEntries(['workspace', 'port'].map((name) => [name, { type: 'string' }])),
    },
  });
  if (values.help) console.log(usage);
  else await start(values);
} catch (error) {
  console.error(String(error.code).startsWith('ERR_PARSE_ARGS') ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
}

async function start({ sample, workspace, browser, port, 'no-open': noOpen }) {
  const folder = workspace === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', workspace);
  if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}`);
  if (port !== undefined && !(Number(port) < 65536)) throw new Error(`${port} is not a port`);
  if (!(await build()).ok) throw new Error('The build failed.');

  const home = !sample && (await hasOwnSessions()) ? ownHome() : await sampleHome();
  try {
    const { data, env, settings } = home;
    const common = { data, env, settings, workspace: folder ?? home.workspace };
    const program = browser ? undefined : findDesktop();
    console.log(await (program ? inDesktop({ ...common, program }) : inBrowser({ ...common, port: Number(port ?? 0), open: !noOpen })));
  } finally {
    home.remove();
  }
}

async function inDesktop({ program, data, env, settings, workspace }) {
  await writeSettings(join(data, 'User'), settings);
  console.log(`Opening ${workspace} in ${program}. Ctrl-C closes it.`);
  return await openDesktop({ program, workspace, data, env });
}

async function inBrowser({ data, env, settings, workspace, port, open }) {
  const host = await installHost();
  await writeSettings(join(data, 'data', 'User'), { ...settings, ...typescript });
  // The address gives a shell on this machine to everyone who has it.
  const token = randomBytes(24).toString('hex');
  const server = await startServer({ host, data, env, token, port });
  const address = workbenchAddress({ origin: server.origin, folder: workspace, extension: project, token });
  console.log(`\nVS Code ${host.version} with Pi Session Tree is at\n${address}\nCtrl-C ends it.\n`);
  if (open) openInBrowser(address);
  return await server.ended;
}

/** Uses the extension, which was just built, to find out if there are sessions. */
async function hasOwnSessions() {
  const { currentEnvironment, findRoots } = createRequire(import.meta.url)(
    join(project, 'out', 'src', 'core', 'files', 'locate', 'roots.js'),
  );
  const roots = await findRoots(currentEnvironment());
  return roots.some(({ path }) => existsSync(path) && readdirSync(path, { recursive: true }).some((name) => name.endsWith('.jsonl')));
}

/** The samples, in a window that shows one of them. */
async function sampleHome() {
  const home = await makeHome();
  // A window has one extension under development; this one is installed.
  await cp(join(import.meta.dirname, 'sample'), join(home.data, 'extensions', 'pi-session-tree.pi-session-tree-sample-0.0.0'), {
    recursive: true,
  });
  return {
    ...home,
    env: { ...home.env, PST_SAMPLE_SESSION: home.session },
    settings: calmAndTrusted,
  };
}

/** The person's own home. The editor's data is kept, because it contains the extension's trash. */
function ownHome() {
  return {
    workspace: process.env.INIT_CWD ?? project,
    data: join(homedir(), '.pi-session-tree-development'),
    env: withoutEditor(process.env),
    settings: calm,
    remove: () => {},
  };
}
