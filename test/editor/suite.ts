// The entry point for the editor's extension host. Runs every *.test.js beside this file with mocha.
import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import type { Driver } from './driver';
import { filesOfShard } from './shards';

const REPORTER = resolve(__dirname, '..', '..', '..', 'test', 'host', 'reporter.mjs');

/** The window, once the first test begins. */
let driver: Driver | undefined;

/**
 * Runs the suite. PST_GREP narrows it; PST_SHARD such as `1/2` runs a part of its files, and other editors the rest;
 * PST_COUNTS names the file for mocha's counts and failures; PST_MARK goes before each line, so that the runner can tell
 * the suite from the other extensions.
 * @throws when a test failed, or when there was none to run
 */
export async function run(): Promise<void> {
  const { PST_GREP: grep, PST_SHARD: shard = '1/1', PST_MARK: mark = '', CI } = process.env;
  process.setSourceMapsEnabled(true);
  // Done before mocha is loaded, because its reporters keep a reference to console.log. The editor doesn't allow that
  // function to be replaced.
  const outer = console;
  globalThis.console = Object.create(outer, { log: { value: (...line: unknown[]) => outer.log(mark + format(...line)) } }) as Console;

  try {
    await runMocha(grep, shard, CI !== undefined);
  } catch (error) {
    // The editor doesn't report why a suite ended.
    console.log(error instanceof Error ? error.stack : error);
    throw error;
  }
}

async function runMocha(grep: string | undefined, shard: string, forbidOnly: boolean): Promise<void> {
  // Mocha is an ES module, so it can't be required.
  const { default: Mocha } = await import('mocha');
  const { default: reporter } = (await import(pathToFileURL(REPORTER).href)) as { default: typeof Mocha.reporters.Spec };
  // Not imported at the top: modules that are loaded before source maps are on keep their JavaScript positions.
  const { connectDriver } = await import('./driver.js');
  const { TEST_LIMIT_MS } = await import('./waiting.js');
  const mocha = new Mocha({ ui: 'bdd', reporter, timeout: TEST_LIMIT_MS, slow: 2_000, forbidOnly, ...(grep ? { grep } : {}) });
  mocha.rootHooks({
    beforeAll: async () => {
      driver = await connectDriver();
    },
    afterAll: () => driver?.close(),
    beforeEach: takePictureOnFailure,
  });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.js'));
  for (const name of filesOfShard(__dirname, files, shard)) mocha.addFile(join(__dirname, name));
  await mocha.loadFilesAsync();

  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
    runner.on('fail', (_test, error: { stack?: string }) => {
      if (error.stack) error.stack = inSources(error.stack);
    });
  });
  if (!stats) throw new Error('mocha reported no counts');
  if (stats.tests === 0) throw new Error(`No test was run (${files.length} files, shard ${shard}, grep ${grep ?? 'not set'})`);
  if (stats.failures > 0) throw new Error(`${stats.failures} of ${stats.tests} tests failed`);
}

/** Maps the places in a stack to TypeScript. The editor formats stacks itself, so Node can't do it. */
function inSources(stack: string): string {
  return stack.replaceAll(/([^\s(]+\.js):(\d+):(\d+)/g, (place, file: string, line: string, column: string) => {
    const entry = findSourceMap(resolve(file))?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return place;
    return `${relative(process.cwd(), fileURLToPath(entry.originalSource))}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

/** Wraps the test that begins, so that a picture shows the window as it failed: hooks after it would clean up first. */
function takePictureOnFailure(this: Mocha.Context): void {
  const test = this.currentTest;
  const run = test?.fn as Mocha.AsyncFunc | undefined;
  if (!test || !run) return;
  test.fn = async function (this: Mocha.Context): Promise<void> {
    try {
      await run.call(this);
    } catch (error) {
      await takePicture(test.fullTitle());
      throw error;
    }
  };
}

async function takePicture(title: string): Promise<void> {
  try {
    const path = await driver?.screenshot(`${title.replaceAll(/[^\w]+/g, '-').slice(0, 100)}.png`);
    console.log(`      picture of the window: ${path}`);
  } catch (error) {
    // The test's own failure matters more; this only explains the missing picture.
    console.log(`      no picture of the window: ${String(error)}`);
  }
}
