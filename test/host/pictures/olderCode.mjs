// A workspace with uncommitted changes, for pictures of a review.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes the workspace a repository whose last commit has an older text of a file, so that there is something to review.
 * @param {import('../home.mjs').Home} home
 */
export async function commitOlderCode({ workspace, env }) {
  const file = join(workspace, 'src', 'checkout.ts');
  const text = await readFile(file, 'utf8');
  const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: workspace, env });
  await writeFile(file, text.replace(/^.*In cents.*\n/m, '').replace('throw failed.reason', 'throw failed'));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
  await writeFile(file, text);
}
