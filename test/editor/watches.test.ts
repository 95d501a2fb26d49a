import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { run } from './editorSuite';
import { rows, showClosed } from './treeRows';
import { eventually } from './waiting';

/** Number of folders below a root. None of them has sessions. */
const MANY = 1500;
/** Milliseconds without another watched folder, after which the watching counts as complete. */
const SETTLED = 500;

describe('a session folder that is a large tree', function () {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'large-'));
    for (let index = 0; index < MANY; index += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, more) => mkdir(join(root, 'usr', String(index), String(more), 'lib'), { recursive: true })),
      );
  });
  after(async () => {
    await setRoots(undefined);
    await rm(root, { recursive: true, force: true });
  });

  const setRoots = async (roots: readonly string[] | undefined): Promise<void> => {
    await vscode.workspace.getConfiguration('sessionTree').update('roots', roots, vscode.ConfigurationTarget.Global);
    await run('refresh');
  };

  it('is watched where sessions are, and not with everything below it', async function () {
    if (process.platform !== 'linux') this.skip();
    await showClosed();
    await setRoots([root]);
    // Changes in it are noticed all the same.
    await mkdir(join(root, 'project'));
    const path = join(root, 'project', 'new.jsonl');
    const builder = session({ cwd: '/work/large' }).user('In a large folder');
    await writeFile(path, builder.text());
    await eventually('the project', async () => (await rows()).some(({ name }) => name === 'large'));
    // Watching begins with a delay, and takes a while for many folders.
    const inodes = await inodesBelow(root);
    let last = 0;
    await eventually('the folder to be watched, and no further one', () => {
      const now = watches(inodes);
      const isSettled = now > 0 && now === last;
      last = now;
      return new Promise((resolve) => setTimeout(resolve, SETTLED, isSettled));
    });
    assert.ok(last < 50, `${String(last)} watches`);
  });
});

/** Returns the inodes of a folder and of everything in it, as Linux writes those of watches. */
async function inodesBelow(root: string): Promise<Set<string>> {
  const paths = await readdir(root, { recursive: true });
  const stats = await Promise.all([root, ...paths.map((path) => join(root, path))].map((path) => lstat(path)));
  return new Set(stats.map(({ ino }) => ino.toString(16)));
}

/**
 * Returns the number of inotify watches of these inodes that the server whose child this process is, and its children have.
 * The tests before this one have left other watches, which end at any time.
 */
function watches(inodes: ReadonlySet<string>): number {
  let count = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs =
        pid === String(process.ppid) || Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) === process.ppid;
      if (!isOurs) continue;
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        if (readlinkSync(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify')
          count += readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')
            .split('\n')
            .filter((line) => inodes.has(/^inotify .*\bino:([0-9a-f]+)/.exec(line)?.[1] ?? '')).length;
      }
    } catch {
      // The process or the descriptor is gone.
    }
  }
  return count;
}
