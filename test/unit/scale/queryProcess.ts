/**
 * Reads a session and runs queries on it in a process of its own, so that its memory can be measured: `ask.js <path>
 * [queries]`, each of `heads`, `context`, `markdown`, `manager`. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import {
  buildSessionContext,
  forkPoint,
  pathTo,
  readBodies,
  readSession,
  SessionError,
  SessionManager,
  sessionToMarkdown,
  suspectedTip,
  tips,
  type Session,
} from '../../../src/core/index';

export interface Answers {
  /** Code of the refusal. */
  readonly refused?: string;
  readonly entries?: number;
  readonly roots?: number;
  readonly leafId?: string | null;
  readonly depth?: number;
  readonly tips?: number;
  readonly suspected?: string | null;
  readonly problems?: readonly { readonly code: string; readonly line?: number; readonly count?: number }[];
  /** Length of the leaf's row in characters. */
  readonly row?: number;
  readonly messages?: number;
  readonly markdownBytes?: number;
  readonly treeDepth?: number;
  readonly branch?: number;
  /** Length of the first body as JSON, in characters. */
  readonly body?: number;
  /** Bytes that the heads use, as far as that can be measured. */
  readonly heads: number;
  /** The peak of the process's memory, minus its memory before reading. */
  readonly peak: number;
}

async function ask(path: string, questions: readonly string[]): Promise<Answers> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let session: Session;
  try {
    session = await readSession(path);
  } catch (error) {
    if (error instanceof SessionError) return { refused: error.code, heads: 0, peak: peak(before.rss) };
    throw error;
  }
  const most = peak(before.rss);
  globalThis.gc?.();
  const heads = process.memoryUsage().heapUsed - before.heapUsed;
  const leaf = session.leafId === null ? undefined : session.byId.get(session.leafId);
  const way = pathTo(session, session.leafId);
  const first = session.entries[0];
  return {
    entries: session.entries.length,
    roots: session.roots.length,
    leafId: session.leafId,
    depth: way.length,
    tips: tips(session).length,
    suspected: suspectedTip(session)?.id ?? null,
    problems: session.problems.slice(0, 2000).map(({ code, line, args }) => ({
      code,
      ...(line === undefined ? {} : { line }),
      ...(args['count'] === undefined ? {} : { count: Number(args['count']) }),
    })),
    row: leaf?.text.length ?? 0,
    ...(forkPoint(way, way) === (session.leafId ?? undefined) ? {} : { refused: 'forkPoint' }),
    ...(questions.includes('context') ? { messages: (await buildSessionContext(session)).messages.length } : {}),
    ...(questions.includes('markdown')
      ? { markdownBytes: Buffer.byteLength(await sessionToMarkdown(session, { maxBytes: 100_000 })) }
      : {}),
    ...(questions.includes('manager') ? await exerciseManager(path) : {}),
    ...(questions.includes('body') && first ? { body: JSON.stringify(await readBodies(session, [first.id])).length } : {}),
    heads,
    peak: most,
  };
}

async function exerciseManager(path: string): Promise<Partial<Answers>> {
  const manager = await SessionManager.open(path);
  manager.getLeafEntry();
  manager.getChildren(manager.getEntries()[0]?.id ?? null);
  manager.buildSessionContext();
  let treeDepth = 0;
  for (let level = manager.getTree(); level.length > 0; level = level.flatMap((node) => node.children)) treeDepth++;
  return { treeDepth, branch: manager.getBranch().length };
}

/** Returns the peak in kilobytes, as the system reports it. On Linux, only the process's own status excludes the memory of its parent. */
function peak(before: number): number {
  const own = process.platform === 'linux' ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] : undefined;
  return (own === undefined ? process.resourceUsage().maxRSS : Number(own)) * 1024 - before;
}

const [path, ...questions] = process.argv.slice(2);
const print = async (of: string): Promise<void> => console.log(JSON.stringify(await ask(of, questions)));
if (path !== undefined) void print(path);
