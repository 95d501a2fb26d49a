// npm run conformance -- openclaw: installs OpenClaw 2026.9.6 with its dependencies (650 MB), lets it import generated
// sessions into a database of its own, fork and continue some of them, and put them aside, and compares what its reader
// says about them with ours.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../host/install.mjs';

const VERSION = '2026.9.6';
const project = join(import.meta.dirname, '..', '..');
const folder = join(project, 'test', 'host', 'node_modules', `.openclaw-${VERSION}`);
const openclaw = join(folder, 'node_modules', 'openclaw');

async function install() {
  if (existsSync(join(folder, '.complete'))) return;
  console.log(`Getting OpenClaw ${VERSION} and its dependencies from the npm registry (once; about a minute, 650 MB) …`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await npm(folder, ['install', `openclaw@${VERSION}`, '--ignore-scripts'], `OpenClaw ${VERSION}`);
  await writeFile(join(folder, '.complete'), '');
}

/** Runs a program in a home folder. */
function run(node, home, args) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: home, env, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`${args.slice(0, 4).join(' ')} failed:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
}

/** @param node the Node of the test host */
export async function compareOpenclaw(node) {
  await install();
  const home = await mkdtemp(join(tmpdir(), 'session-tree-'));
  try {
    const compare = ['--enable-source-maps', join(project, 'out', 'test', 'conformance', 'compareOpenclaw.js')];
    run(node, home, [...compare, 'write', home]);
    run(node, home, [
      join(openclaw, 'openclaw.mjs'),
      'doctor',
      '--session-sqlite',
      'import',
      '--session-sqlite-all-agents',
      '--json',
      '--non-interactive',
    ]);
    const program = [join(import.meta.dirname, 'openclawProgram.mjs'), openclaw];
    run(node, home, [...program, 'change']);
    run(node, home, [...program, 'read', join(home, 'answers.json')]);
    const stored = spawnSync(node, [...compare, 'compare', home], { stdio: 'inherit' });
    // OpenClaw's reader restores what it has put aside, so the answers are those from before.
    run(node, home, [...program, 'archive']);
    const archived = spawnSync(node, [...compare, 'compareArchived', home], { stdio: 'inherit' });
    return stored.status || (archived.status ?? 1);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
