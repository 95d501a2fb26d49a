/** The commit that last changed a line. */
import { relative, sep } from 'node:path';
import { alignLines } from '../../format/lineOrigins/alignLines';
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { repositoryOf } from './fileCommits';
import { runGit } from './runGit';

/** The commit that last changed a line. */
export interface LineCommit {
  readonly hash: string;
  readonly author: string;
  /** When it was committed, in milliseconds since 1970. */
  readonly time: number;
  /** The first line of its message. */
  readonly summary: string;
}

const HASH = /^[0-9a-f]{40,64} /;

/**
 * Returns the commit that last changed a line; `undefined` if the line isn't committed as it is, or if Git fails. Git
 * reads only committed texts: filters of the working tree, which are programs, don't run.
 *
 * @throws {SessionError} `invalid` if Git doesn't run in the repository
 * @param text the file as the editor has it
 * @param line from 1
 */
export async function lineCommit(file: string, text: string, line: number, signal?: AbortSignal): Promise<LineCommit | undefined> {
  const repository = await repositoryOf(file);
  if (repository === undefined) return undefined;
  const name = relative(repository, file).replaceAll(sep, '/');
  const committed = await runGit(repository, ['cat-file', 'blob', `HEAD:${name}`], { signal });
  if (!committed || committed.includes(0)) return undefined;
  const texts = new LineTexts();
  const old = texts.numbersIn(committed.toString('utf8'));
  const place = alignLines(old, texts.numbersIn(text), texts).places[line - 1] ?? -1;
  if (place < 0) return undefined;
  const range = `${place + 1},${place + 1}`;
  // An empty name of a file forgets the commits of the files before it. As a setting it would come first.
  const blame = ['blame', '--ignore-revs-file=', '--no-textconv', '--porcelain', '-L', range, 'HEAD', '--', name];
  const output = await runGit(repository, blame, { signal });
  return output ? parseBlame(output.toString('utf8')) : undefined;
}

/** Parses the output of `git blame --porcelain` of one line. */
function parseBlame(output: string): LineCommit | undefined {
  const [first = '', ...lines] = output.split('\n');
  if (!HASH.test(first)) return undefined;
  const field = (name: string): string => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  return {
    hash: first.slice(0, first.indexOf(' ')),
    author: field('author'),
    time: Number(field('committer-time')) * 1000,
    summary: field('summary'),
  };
}
