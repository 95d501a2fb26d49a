// npm run conformance -- <file or folder>…: builds, gets pi from the npm registry, and compares its answers about these session files with ours.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installHost } from '../host/install.mjs';
import { installPi } from '../host/installPi.mjs';

const project = join(import.meta.dirname, '..', '..');

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: project, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const { node } = await installHost();
await installPi();
run(process.execPath, ['esbuild.mjs', '--tests']);
run(node, ['--enable-source-maps', join('out', 'test', 'conformance', 'compareFiles.js'), ...process.argv.slice(2)]);
