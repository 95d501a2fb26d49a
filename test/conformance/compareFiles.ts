/**
 * Compares pi's answers with ours about any session files: `npm run conformance -- <file or folder>…`. For files that
 * aren't part of a clone. Works on copies, since pi may write when it opens a file.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSession, SessionError } from '../../src/core/index';
import { compareContexts, compareRows, compareShapes, compareTotals, readBoth } from './compareWithPi';
import { loadPi, type Pi } from './pi';

/** The session files among the given paths and below them. */
function sessionFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
    return names.sort().map((name) => join(path, name));
  });
}

/** Returns what differs, in a line each. */
async function differences(pi: Pi, folder: string, path: string): Promise<string[]> {
  const both = await readBoth(pi, folder, readFileSync(path, 'utf8'));
  const found: string[] = [];
  for (const [what, compare] of Object.entries({
    'tree, leaf, labels, name': () => compareShapes(both),
    totals: () => compareTotals(pi, both),
    rows: () => compareRows(pi, both),
    contexts: () => compareContexts(both),
  })) {
    try {
      await compare();
    } catch (error) {
      found.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

async function main(paths: readonly string[]): Promise<void> {
  const pi = await loadPi();
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-'));
  const counts = { equal: 0, different: 0, unread: 0 };
  try {
    for (const path of sessionFiles(paths)) {
      try {
        const { dialect } = await readSession(path);
        const found = await differences(pi, folder, path);
        counts[found.length === 0 ? 'equal' : 'different']++;
        if (found.length > 0) console.log(`${path} (${dialect})\n${found.map((one) => `  ${one.replaceAll('\n', '\n  ')}`).join('\n')}`);
      } catch (error) {
        counts.unread++;
        console.log(`${path}\n  ${error instanceof SessionError ? error.message : String(error)}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `${String(counts.equal)} files with equal answers, ${String(counts.different)} with others, ${String(counts.unread)} not compared`,
  );
  process.exitCode = counts.different + counts.unread > 0 ? 1 : 0;
}

void main(process.argv.slice(2));
