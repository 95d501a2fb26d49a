// What the editor calls in its extension host: every *.test.js beside this file, run by mocha.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';

/**
 * Runs the suite. PST_GREP narrows it; PST_COUNTS names the file for mocha's counts;
 * PST_MARK goes before each line, so that the runner can tell the suite from the other extensions.
 * @throws when a test failed, or when there was none to run
 */
export async function run(): Promise<void> {
  const { PST_GREP: grep, PST_COUNTS: counts, PST_MARK: mark = '', CI } = process.env;
  process.setSourceMapsEnabled(true);
  // Before mocha is loaded, because its reporters remember console.log. The editor lets nobody replace that one function.
  const outer = console;
  globalThis.console = Object.create(outer, { log: { value: (...line: unknown[]) => outer.log(mark + format(...line)) } }) as Console;

  // Mocha is an ES module, so it can't be required.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, slow: 2_000, forbidOnly: CI !== undefined, ...(grep ? { grep } : {}) });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.js'));
  for (const name of files.sort()) mocha.addFile(join(__dirname, name));
  await mocha.loadFilesAsync();

  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  if (!stats) throw new Error('mocha gave no counts');
  if (counts) writeFileSync(counts, JSON.stringify(stats));
  if (stats.tests === 0) throw new Error(`No test was run (${files.length} files, grep ${grep ?? 'not set'})`);
  if (stats.failures > 0) throw new Error(`${stats.failures} of ${stats.tests} tests failed`);
}
