// Tries faults of the extension in one window. For each, the extension is deactivated and activated again with the
// fault switched on.
import { readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { connectDriver, type Driver } from './driver';

interface Planned {
  readonly number: number;
  /** Names of test files beside this one, without `.test.js`. */
  readonly tests: readonly string[];
}

interface Verdict {
  readonly number: number;
  readonly by: 'editor' | 'survived' | 'unclear';
  readonly test?: string;
}

interface Failure {
  readonly file: string;
  readonly title: string;
  readonly message: string;
}

declare global {
  var sessionTreeFault: number | undefined;
  var sessionTreeExtension: { readonly context: vscode.ExtensionContext; readonly file: string; readonly api: object } | undefined;
}

interface Scriptable {
  addInitScript(script: string): Promise<void>;
}

const load = createRequire(__filename);

/**
 * Runs the plan in the file that PST_FAULTS names, and writes the verdicts to the one that PST_RESULTS names.
 *
 * @throws if a test fails without a fault, because the window then can't judge the rest
 */
export async function run(): Promise<void> {
  const { PST_FAULTS: planFile, PST_RESULTS: resultsFile, PST_COUNTS: counts, PST_MARK: mark = '' } = process.env;
  if (planFile === undefined || resultsFile === undefined) throw new Error('PST_FAULTS or PST_RESULTS is not set');
  const print = (line: string): void => console.log(mark + format(line));
  const driver = await connectDriver();
  const verdicts: Verdict[] = [];
  const add = (verdict: Verdict): void => {
    verdicts.push(verdict);
    writeFileSync(resultsFile, JSON.stringify(verdicts));
    print(`${String(verdict.number)} ${verdict.by}${verdict.test === undefined ? '' : `: ${verdict.test}`}`);
  };
  await vscode.extensions.all.find(({ packageJSON }) => (packageJSON as { name?: string }).name === 'pi-session-tree')?.activate();
  shareApi();

  for (const { number, tests } of JSON.parse(readFileSync(planFile, 'utf8')) as Planned[]) {
    const failure = (await restart(number, driver)) ?? (await firstFailure(tests));
    if (!failure) {
      add({ number, by: 'survived' });
      continue;
    }
    const again = (await restart(0, driver)) ?? (failure.file === '' ? undefined : await firstFailure([failure.file], failure.title));
    add({ number, by: again ? 'unclear' : 'editor', test: `${failure.title}: ${failure.message}` });
    if (again) throw new Error(`Fails without a fault: ${again.title}: ${again.message}`);
  }
  if (counts !== undefined)
    writeFileSync(counts, JSON.stringify({ tests: verdicts.length, passes: verdicts.length, failures: 0, pending: 0 }));
  await driver.close();
}

interface Loader {
  _load: (request: string, parent: { readonly filename?: string } | undefined, ...rest: unknown[]) => unknown;
}

/**
 * Gives the tests the API object of the extension. The editor makes one for each extension's folder, and the tests
 * aren't in this one's, so a dialog that they replace in theirs would still be the editor's in the extension.
 */
function shareApi(): void {
  const api = globalThis.sessionTreeExtension?.api;
  const loader = Module as unknown as Loader;
  const original = loader._load;
  loader._load = function (request, parent, ...rest) {
    const isTest = parent?.filename?.startsWith(dirname(__dirname) + sep) === true;
    return request === 'vscode' && api && isTest ? api : original.call(this, request, parent, ...rest);
  };
}

/** Restarts the extension with a fault, here and in each webview that is opened from now on; 0 is no fault. */
async function restart(fault: number, driver: Driver): Promise<Failure | undefined> {
  const extension = globalThis.sessionTreeExtension;
  if (!extension) throw new Error('The extension was not built with faults');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // The editor returns the same log for the same name, even after it was disposed, so the log is kept.
  for (const disposable of extension.context.subscriptions.splice(0).reverse()) if (!('warn' in disposable)) await disposable.dispose();
  globalThis.sessionTreeFault = fault;
  await (driver.page as unknown as Scriptable).addInitScript(`globalThis.sessionTreeFault = ${String(fault)};`);
  // Code that is loaded later imports the extension's own file.
  const folder = dirname(extension.file) + sep;
  for (const path of Object.keys(load.cache)) if (path.startsWith(folder)) Reflect.deleteProperty(load.cache, path);
  try {
    await (load(extension.file) as { activate: (context: vscode.ExtensionContext) => unknown }).activate(extension.context);
  } catch (error) {
    return { file: '', title: 'activation', message: String(error) };
  }
  return undefined;
}

/** An empty reporter, because the verdicts name the failures. */
function PrintsNothing(): void {
  return;
}

/** Runs test files one after the other; with `title`, only that test. Returns the first failure. */
async function firstFailure(tests: readonly string[], title?: string): Promise<Failure | undefined> {
  // Mocha is an ES module, so it can't be required.
  const { default: Mocha } = await import('mocha');
  for (const file of tests) {
    const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, bail: true, reporter: PrintsNothing as unknown as Mocha.ReporterConstructor });
    const path = join(__dirname, `${file}.test.js`);
    Reflect.deleteProperty(load.cache, path);
    mocha.addFile(path);
    // Protected, because Mocha prefers `loadFilesAsync`, which loads a file only once.
    (mocha as unknown as { loadFiles(): void }).loadFiles();
    if (title !== undefined) mocha.grep(new RegExp(`^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`));
    const failure = await new Promise<Failure | undefined>((resolve) => {
      let found: Failure | undefined;
      const runner = mocha.run(() => resolve(found));
      runner.on('fail', (test: Mocha.Runnable, error: Error) => {
        found ??= { file, title: test.fullTitle(), message: error.message.split('\n')[0]!.slice(0, 200) };
      });
    });
    if (failure) return failure;
  }
  return undefined;
}
