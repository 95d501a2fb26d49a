// npm run fuzz [-- --only name] [--seed N] [--seconds N] [--case N]
// Runs without a limit: it ends at the first failure (exit code 1), after --seconds, or with Ctrl+C.
import { join } from 'node:path';
import { project } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { spawnBound } from '../host/processes.mjs';
import { build } from '../host/steps.mjs';

const { node } = await installHost();
if (!(await build()).ok) process.exit(1);

const { child, ended } = spawnBound(
  node,
  ['--enable-source-maps', join(project, 'out', 'test', 'fuzz', 'runner', 'main.js'), ...process.argv.slice(2)],
  { cwd: project, stdio: 'inherit' },
  'SIGTERM',
);
// The child has a process group of its own, so a terminal's Ctrl+C doesn't reach it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
const { code } = await ended;
process.exitCode = code ?? 1;
