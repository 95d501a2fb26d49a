// A public repository that has its own sessions among its files, such as a clone of badlogic/pi-mono, in a temporary folder.
// Nothing of it is kept, and none of its programs run. Needs the output of `node esbuild.mjs --tests`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** The extension's core. */
export const core = createRequire(join(resolve(import.meta.dirname, '..', '..', 'out'), 'index.js'))('./src/core/index.js');

const MAX_BYTES = 1024 * 1024 * 1024;

/** Returns the times of a session's edits by file, relative to its folder, in milliseconds since 1970. */
function editTimes(text) {
  const [header, ...entries] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const times = new Map();
  for (const { message, timestamp } of entries) {
    for (const { type, name, arguments: args } of Array.isArray(message?.content) ? message.content : []) {
      if (type !== 'toolCall' || !['edit', 'write'].includes(name) || typeof args?.path !== 'string') continue;
      const file = relative(header.cwd, resolve(header.cwd, args.path));
      if (!file.startsWith('..')) times.set(file, [...(times.get(file) ?? []), Date.parse(timestamp)]);
    }
  }
  return { cwd: header.cwd, times };
}

/**
 * Clones a repository, and writes its sessions for that clone.
 *
 * - `folder`: the temporary folder; `remove` removes it
 * - `project`: the clone
 * - `root`: the session folder
 * - `edits`: the times of all edits by file, in milliseconds since 1970; `sessions`: the same for each session
 * - `moveGit`: moves the repository's own files away from the clone, or back
 */
export function publicRepository() {
  const [given] = process.argv.slice(2);
  if (given === undefined) throw new Error('Name the folder of a repository.');
  const folder = mkdtempSync(join(tmpdir(), 'public-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const project = join(folder, 'project');
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', 'clone', '-q', '--no-hardlinks', resolve(given), project]);
    let gitDir = join(project, '.git');
    const git = (...args) =>
      execFileSync('git', ['-c', 'core.hooksPath=/dev/null', `--git-dir=${gitDir}`, `--work-tree=${project}`, ...args], {
        cwd: project,
        encoding: 'utf8',
        maxBuffer: MAX_BYTES,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const root = join(folder, 'sessions');
    mkdirSync(join(root, 'p'), { recursive: true });
    const edits = new Map();
    const sessions = new Map();
    for (const file of git('ls-files', '-z', '*.jsonl').split('\0').filter(Boolean)) {
      const text = readFileSync(join(project, file), 'utf8');
      if (!text.startsWith('{"type":"session"') || !text.includes('"toolCall"')) continue;
      const { cwd, times } = editTimes(text);
      const path = join(root, 'p', file.replaceAll('/', '-'));
      writeFileSync(path, text.replaceAll(JSON.stringify(cwd).slice(1, -1), project));
      sessions.set(path, times);
      for (const [edited, at] of times) edits.set(edited, [...(edits.get(edited) ?? []), ...at]);
    }
    const moveGit = (to) => {
      renameSync(gitDir, to);
      gitDir = to;
    };
    return { folder, project, root, edits, sessions, git, moveGit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
