/**
 * Compares pi's answers with ours about any session files: `npm run conformance -- <file or folder>…`. For files that
 * aren't part of a clone. Works on copies, since pi may write when it opens a file. Prints the unexplained differences,
 * and a table of all kinds; with `--examples`, also an example of each kind.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSession, SessionError } from '../../src/core/index';
import { compareWithOmp } from './compareWithOmp';
import { readBoth } from './compareWithPi';
import { fileDifferences, type Difference } from './fileDifferences';
import { irregularity, readRegular, regularText } from './irregularFiles';
import { startOmp, type Omp } from './omp';
import { copies, loadPi, type Pi } from './pi';

/** The session files among the given paths and below them. */
function sessionFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
    return names.sort().map((name) => join(path, name));
  });
}

/** oh-my-pi itself judges files in its dialect, also those that pi reads differently. */
async function judgedByOmp(omp: Omp, folder: string, path: string): Promise<Difference[]> {
  const copy = join(folder, 'omp.jsonl');
  copyFileSync(path, copy);
  const ours = await readSession(path, { dialect: 'omp' });
  // Its entries are then others than ours, as pi's are.
  if (ours.problems.length > 0) writeFileSync(copy, await regularText(ours));
  try {
    await compareWithOmp(ours, await omp.read(copy));
    return [];
  } catch (error) {
    return [{ kind: 'oh-my-pi: unexplained', count: 1, example: error instanceof Error ? error.message : String(error) }];
  }
}

async function differences(pi: Pi, omp: Omp, folder: string, path: string): Promise<{ dialect: string; found: Difference[] }> {
  const session = await readSession(path);
  const { dialect, problems, entries } = session;
  const found = dialect === 'omp' ? await judgedByOmp(omp, folder, path) : [];
  const text = readFileSync(path, 'utf8');
  const paths = copies(folder, text);
  const theirCount = pi.open(paths.theirs).getEntries().length;
  const isIrregular = theirCount !== entries.length;
  if (isIrregular) found.push(irregularity(session, theirCount));
  try {
    const both = await (isIrregular && problems.length > 0 ? readRegular : readBoth)(folder, text);
    found.push(...(await fileDifferences(both)));
  } catch (error) {
    found.push({ kind: 'entries: unexplained', count: 1, example: error instanceof Error ? error.message : String(error) });
  }
  return { dialect, found };
}

async function main(args: readonly string[]): Promise<void> {
  const pi = await loadPi();
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-'));
  const omp = await startOmp(join(folder, 'home'));
  const showsExamples = args.includes('--examples');
  const dialects = new Map<string, number>();
  const unread = new Map<string, number>();
  const kinds = new Map<string, { files: number; places: number }>();
  let different = 0;
  try {
    for (const path of sessionFiles(args.filter((arg) => arg !== '--examples'))) {
      let of: Awaited<ReturnType<typeof differences>>;
      try {
        of = await differences(pi, omp, folder, path);
      } catch (error) {
        const why = error instanceof SessionError ? error.code : String(error);
        unread.set(why, (unread.get(why) ?? 0) + 1);
        console.log(`${path}\n  ${error instanceof Error ? error.message : why}`);
        continue;
      }
      dialects.set(of.dialect, (dialects.get(of.dialect) ?? 0) + 1);
      const shown = of.found.filter(({ kind }) => showsExamples || kind.endsWith('unexplained'));
      if (shown.length > 0) console.log(`${path} (${of.dialect})`);
      for (const { kind, count, example } of shown) console.log(`  ${kind} (${String(count)}): ${example.replaceAll('\n', '\n    ')}`);
      if (of.found.some(({ kind }) => kind.endsWith('unexplained'))) different++;
      for (const { kind, count } of of.found) {
        const { files, places } = kinds.get(kind) ?? { files: 0, places: 0 };
        kinds.set(kind, { files: files + 1, places: places + count });
      }
    }
  } finally {
    await omp.end();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n| Difference | Files | Places |\n| --- | --- | --- |`);
  for (const [kind, { files, places }] of [...kinds].sort()) console.log(`| ${kind} | ${String(files)} | ${String(places)} |`);
  const list = (counts: ReadonlyMap<string, number>): string => [...counts].map(([name, count]) => `${name} ${String(count)}`).join(', ');
  console.log(`\nFiles by dialect: ${list(dialects)}. Not read: ${list(unread) || 'none'}.`);
  process.exitCode = different + unread.size > 0 ? 1 : 0;
}

void main(process.argv.slice(2));
