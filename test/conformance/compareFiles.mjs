// npm run conformance -- <file or folder>…: builds, gets pi from the npm registry, and compares its answers about these
// session files with ours. With `openclaw` instead of paths: see compareOpenclaw.mjs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installHost } from '../host/install.mjs';
import { installOmp } from '../host/installOmp.mjs';
import { installPi } from '../host/installPi.mjs';
import { compareOpenclaw } from './compareOpenclaw.mjs';

const project = join(import.meta.dirname, '..', '..');

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: project, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const { node } = await installHost();
run(process.execPath, ['esbuild.mjs', '--tests']);
if (process.argv[2] === 'openclaw') process.exit(await compareOpenclaw(node));
await installPi();
await installOmp();
run(node, ['--enable-source-maps', join('out', 'test', 'conformance', 'compareFiles.js'), ...process.argv.slice(2)]);
