import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as core from '../../src/core/index';
import { testFolder } from '../fixtures/folder';

const README = resolve('src/core/README.md');
const BUILT = resolve('dist/core.mjs');

/** Returns the first code block of a language. */
function block(markdown: string, language: string): string {
  const [, found] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(markdown) ?? [];
  return found ?? assert.fail(`the README has no ${language} block`);
}

describe("The core's README", function () {
  // Starting a process is slow on a busy machine.
  this.timeout(60_000);
  const folder = testFolder();

  it('has an example that runs against the built core and prints the documented output', async () => {
    const readme = await readFile(README, 'utf8');
    await copyFile(BUILT, join(folder.path, 'core.mjs'));
    const program = await folder.write('example.mjs', block(readme, 'js'));
    const env = { ...process.env, TMPDIR: folder.path, TEMP: folder.path, TMP: folder.path };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
    assert.deepEqual([stdout, stderr], [block(readme, 'text'), '']);
  });

  it('names only existing exports, and every error code', async () => {
    const readme = await readFile(README, 'utf8');
    const called = [...readme.matchAll(/`([a-z][a-zA-Z]+)\(/g)].map(([, name]) => name!);
    const methods = ['submit', 'forkSession'];
    for (const name of called) assert.ok(name in core || methods.includes(name), name);
    const problem = await readFile(resolve('src/core/format/entry/problem.ts'), 'utf8');
    const codes = /SessionErrorCode =([^;]*);/.exec(problem)?.[1]?.match(/[a-z-]+(?=')/g) ?? [];
    assert.ok(codes.length > 10);
    for (const code of codes) assert.ok(readme.includes(`\`${code}\``), code);
  });
});
