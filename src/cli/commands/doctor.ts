import { homedir } from 'node:os';
import { stat } from 'node:fs/promises';
import { defined, DIALECT_FACTS, DIALECTS, findProgram, isMissing, isWithin, type Root } from '../../core/index';
import type { Answer, Call } from '../command';
import { line } from '../output';

interface Place {
  readonly path: string;
  readonly program: string;
  readonly exists: boolean;
  readonly sessions: number;
  readonly problem?: string;
}

/** Says which folders are read, what can't be read, and what this machine has. */
export async function doctor({ memory, version, paint }: Call): Promise<Answer> {
  const roots = await memory.roots();
  // A folder that can't be indexed is what this command is for.
  const index = await memory.current().then(
    async () => ({ rows: await memory.rows() }),
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  const rows = 'rows' in index ? index.rows : [];
  const places: Place[] = [];
  for (const root of new Map(roots.map((each) => [each.path, each])).values()) {
    const state = await stateOf(root);
    places.push({
      path: root.path,
      program: root.dialect,
      ...state,
      sessions: rows.filter(({ path }) => isWithin(path, root.path, process.platform)).length,
    });
  }
  const problems = [
    ...('problem' in index ? [{ path: memory.cacheFolder, message: index.problem }] : []),
    ...memory.rootProblems,
    ...memory.problems.map(({ path, message }) => ({ path, message })),
    ...places.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, message: problem }])),
  ];
  const programs = await programsOf(rows);
  const facts = { node: process.versions.node, sqlite: process.versions['sqlite'], version, cache: memory.cacheFolder };
  return {
    json: { ...facts, places, programs, problems },
    lines: [
      `session-tree ${version}, Node.js ${facts.node}${facts.sqlite === undefined ? '' : `, SQLite ${facts.sqlite}`}`,
      `Cache: ${line(facts.cache)}`,
      '',
      paint('bold', 'Session folders'),
      ...places
        .toSorted((a, b) => Number(b.exists) - Number(a.exists))
        .map(
          ({ path, program, exists, sessions }) => `  ${exists ? counted(sessions) : paint('dim', 'missing')}  ${program}  ${line(path)}`,
        ),
      '',
      paint('bold', 'Programs'),
      ...programs.map(
        ({ program, sessions, command }) => `  ${program}: ${counted(sessions)}, ${command === undefined ? 'not in PATH' : line(command)}`,
      ),
      '',
      paint('bold', problems.length === 0 ? 'No problems' : 'Problems'),
      ...problems.map(({ path, message }) => `  ${line(message)}${message.includes(path) ? '' : ` (${line(path)})`}`),
    ],
    found: true,
  };
}

const counted = (sessions: number): string => (sessions === 1 ? '1 session' : `${String(sessions)} sessions`);

async function stateOf({ path, mayBeMissing }: Root): Promise<Pick<Place, 'exists' | 'problem'>> {
  try {
    await stat(path);
    return { exists: true };
  } catch (error) {
    if (isMissing(error)) return { exists: false, ...(mayBeMissing ? {} : { problem: 'This folder doesn’t exist.' }) };
    return { exists: true, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function programsOf(
  rows: readonly { readonly dialect: string }[],
): Promise<{ readonly program: string; readonly sessions: number; readonly command?: string }[]> {
  const environment = { platform: process.platform, env: process.env, home: homedir() };
  return Promise.all(
    DIALECTS.map(async (program) => {
      const command = await findProgram(DIALECT_FACTS[program].program[0] ?? program, environment);
      return { program, sessions: rows.filter(({ dialect }) => dialect === program).length, ...defined({ command }) };
    }),
  );
}
