// Runs the editor suite inside VS Code's server, with a browser as the window.
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { makeHome, project, sampleExtension, still, writeSettings } from './home.mjs';
import { workbenchAddress } from './page.mjs';
import { startServer } from './server.mjs';

/** Marks the suite's output in the log of the workbench and the other extensions. */
const mark = '[suite] ';

/** The extension with the language model of the tests. */
const modelProvider = join(project, 'test', 'fixtures', 'modelProvider');

/** Milliseconds within which the suite must end. */
const LIMIT = 30 * 60_000;

/**
 * @param {object} options
 * @param {{ node: string, vscode: string }} options.host what installHost() answered
 * @param {string} [options.grep] only tests whose title matches
 * @param {string} [options.shard] such as `1/2`: the part of the tests that this editor runs
 * @param {(text: string) => void} [options.take] receives the output; without it, it's printed
 * @param {string} options.counts the file for mocha's counts
 * @param {string} options.artifacts the folder for screenshots, and for logs of a failure
 * @param {string} [options.extension] the extension's folder
 * @param {string} [options.tests] the module whose `run()` is called in the extension host
 * @param {NodeJS.ProcessEnv} [options.env] more for the extension host
 * @param {number} [options.limit] milliseconds within which the suite must end
 * @returns {Promise<boolean>} `true` if every test passed
 */
export async function runSuiteInServer({
  host,
  grep,
  shard,
  take = (text) => process.stdout.write(text),
  counts,
  artifacts,
  extension = project,
  tests = join(project, 'out', 'test', 'editor', 'suite.js'),
  env = {},
  limit = LIMIT,
}) {
  const home = await makeHome();
  await writeSettings(join(home.data, 'data', 'User'), still);
  // The editor finds extensions in this folder when it starts for the first time.
  await cp(modelProvider, join(home.data, 'extensions', 'session-tree-test.model-provider-1.0.0'), { recursive: true });
  await cp(sampleExtension, join(home.data, 'extensions', 'pi-session-tree.session-tree-sample-0.0.1'), { recursive: true });
  const log = [];
  let browser, server;
  try {
    browser = await launchBrowser(join(home.folder, 'browser'));
    const { __STRYKER_ACTIVE_MUTANT__: mutant } = env;
    if (mutant !== undefined) await browser.context.addInitScript(`globalThis.__stryker__ = { activeMutant: '${mutant}' }`);
    server = await startServer({
      host,
      data: home.data,
      env: {
        ...home.env,
        ...env,
        PST_DRIVER: browser.endpoint,
        PST_COUNTS: counts,
        PST_GREP: grep,
        PST_SHARD: shard,
        PST_ARTIFACTS: artifacts,
        PST_MARK: mark,
      },
      onOutput: (text) => log.push(text.trimEnd()),
    });
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    // An extension host that dies could otherwise look like one that ended normally.
    const passed = (await openAndAwait({ page, server, home, log, take, extension, tests, limit })) && existsSync(counts);
    if (!passed) await keep({ page, artifacts, log, take });
    return passed;
  } finally {
    await browser?.context.close();
    await server?.stop();
    home.remove();
  }
}

/** Opens the workbench and waits for the suite's end. */
async function openAndAwait({ page, server, home, log, take, extension, tests, limit }) {
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    const text = args.join(' ');
    if (text.startsWith(mark)) take(`${text.slice(mark.length)}\n`);
    else log.push(`${type}: ${text}`);
  });
  await page.exposeFunction('codeAutomationExit', (code, logs) => {
    for (const { relativePath, contents } of logs ?? []) log.push(`\n== ${relativePath}\n${contents}`);
    finish(code);
  });
  page.once('crash', () => finish('the page crashed'));
  page.once('close', () => finish('the page was closed'));
  void server.ended.then(finish);
  const timer = setTimeout(finish, limit, `not finished after ${limit / 60_000} minutes`);
  await page.goto(workbenchAddress({ origin: server.origin, folder: home.workspace, extension, tests }));
  const end = await finished;
  clearTimeout(timer);
  if (typeof end === 'string') take(`The editor suite was cut off: ${end}\n`);
  return end === 0;
}

/** Saves files that help to understand a failure. */
async function keep({ page, artifacts, log, take }) {
  await mkdir(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, 'end.png') }).catch((error) => log.push(`No screenshot: ${error.message}`));
  await writeFile(join(artifacts, 'editor.log'), log.join('\n'));
  take(`What the editor showed and logged is in ${artifacts}\n`);
}
