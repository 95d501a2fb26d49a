/** Finds the sessions that comments on code go to: those that wrote the lines. */
import { sep } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import { placeWithin } from '../../files/relink/movedPaths';
import { newestTipBelow } from '../../format/branches/newestBranches';
import { elementAt } from '../../format/values/lookups';
import { SessionError } from '../../format/entry/problem';
import { linesOf } from '../../format/lineOrigins/lineTexts';
import { commentPrompt } from '../../format/review/commentPrompt';
import type { Session } from '../../format/session/session';
import { isOnPath } from '../../format/session/treeTraversal';
import type { Catalog } from '../catalogApi';
import { lineOrigins, textOnDisk, type LineOrigin } from '../origins/lineOrigins';
import { originalsOf } from './originalEntry';
import { writersOf } from './writersOfRange';

/** A comment on lines of a file. */
export interface ReviewComment {
  /** The absolute path. */
  readonly file: string;
  /** The first and the last line, from 1; by default one line. */
  readonly from: number;
  readonly to?: number;
  readonly text: string;
}

/** A prompt for one branch of a session. */
export interface RoutedPrompt {
  /** The session. */
  readonly path: string;
  /** A tip below the entries that wrote the lines. */
  readonly entryId: string;
  /** The places of the comments in the given list, in the order of files and lines. */
  readonly comments: number[];
  /** Markdown. */
  readonly text: string;
}

/** The prompts for sessions, and the comments that go to none. */
export interface RoutedComments {
  readonly prompts: RoutedPrompt[];
  /** `comment` is a place in the given list; `reason` is a sentence. */
  readonly unrouted: { readonly comment: number; readonly reason: string }[];
}

/** The same, with reasons that can be translated. */
export interface CommentRoutes {
  readonly prompts: RoutedPrompt[];
  readonly unrouted: { readonly comment: number; readonly error: SessionError }[];
}

/** Options of {@link routeComments}. */
export interface RouteOptions {
  /** Texts in the editor by file; by default the texts on the disk count. */
  readonly texts?: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal;
}

/** A comment whose session is known. */
interface Routed {
  readonly comment: number;
  readonly range: Range;
}

interface Range {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly lines: string;
  readonly text: string;
}

/**
 * Returns one prompt for each session and branch that certainly wrote commented lines. A range goes to each session that wrote lines
 * of it. Comments on other lines, such as a person's, are left with the reason.
 *
 * @throws the signal's reason if aborted
 */
export async function routeComments(
  catalog: Catalog,
  comments: readonly ReviewComment[],
  options: RouteOptions = {},
): Promise<RoutedComments> {
  const { prompts, unrouted } = await commentRoutes(catalog, comments, options);
  return { prompts, unrouted: unrouted.map(({ comment, error }) => ({ comment, reason: error.message })) };
}

/** Does the same as {@link routeComments}, with reasons that can be translated. */
export async function commentRoutes(
  catalog: Catalog,
  comments: readonly ReviewComment[],
  { texts, signal }: RouteOptions = {},
): Promise<CommentRoutes> {
  const router = new Router(catalog, signal);
  const unrouted: { comment: number; error: SessionError }[] = [];
  const byFile = new Map<string, number[]>();
  for (const [comment, { file }] of comments.entries()) {
    const known = byFile.get(file);
    if (known) known.push(comment);
    else byFile.set(file, [comment]);
  }
  for (const [file, ofFile] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
    signal?.throwIfAborted();
    const leave = (comment: number, error: SessionError): number => unrouted.push({ comment, error });
    try {
      const text = texts?.get(file) ?? (await textOnDisk(file));
      if (text === undefined) throw new SessionError('not-found', 'This file doesn’t exist: {path}', { path: file });
      await router.addFile({ file, text }, ofFile, comments, leave);
    } catch (error) {
      // A file that isn't text or can't be read keeps its comments, and the others go on.
      if (!(error instanceof SessionError)) throw error;
      for (const comment of ofFile) leave(comment, error);
    }
  }
  return { prompts: router.prompts(), unrouted: unrouted.sort((a, b) => a.comment - b.comment) };
}

class Router {
  private readonly routes = new Map<string, { readonly session: Session; readonly tip: string; readonly routed: Routed[] }>();
  private readonly sessions = new Map<string, Session | undefined>();

  constructor(
    private readonly catalog: Catalog,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async addFile(
    { file, text }: { readonly file: string; readonly text: string },
    ofFile: readonly number[],
    comments: readonly ReviewComment[],
    leave: (comment: number, error: SessionError) => void,
  ): Promise<void> {
    const origins = await lineOrigins(this.catalog, file, { text, ...(this.signal && { signal: this.signal }) });
    const original = await originalsOf(this.catalog, file, (path) => this.session(path));
    const lines = linesOf(text);
    // A line break at the end begins no line.
    const count = lines.length - (lines.at(-1) === '' ? 1 : 0);
    const inOrder = [...ofFile].sort((a, b) => elementAt(comments, a).from - elementAt(comments, b).from || a - b);
    for (const comment of inOrder) {
      const { from, to = from, text: remark } = elementAt(comments, comment);
      const refusal = refusalOf({ from, to, remark }, count);
      const writers = refusal === undefined ? writersOf(origins, { from, to }) : refusal;
      if (writers instanceof SessionError) {
        leave(comment, writers);
        continue;
      }
      const range = { file, from, to, lines: lines.slice(from - 1, to).join('\n'), text: remark };
      let isRouted = false;
      for (const writer of writers) isRouted = (await this.add(comment, range, await original(writer))) || isRouted;
      if (!isRouted) leave(comment, new SessionError('not-found', 'The session that wrote these lines is gone.'));
    }
  }

  prompts(): RoutedPrompt[] {
    return [...this.routes.values()].map(({ session, tip, routed }) => ({
      path: session.path,
      entryId: tip,
      comments: routed.map(({ comment }) => comment),
      text: commentPrompt(routed.map(({ range }) => ({ ...range, file: this.nameIn(session, range.file) }))),
    }));
  }

  /** Adds a comment to the branch with an entry. False if the session is gone. */
  private async add(comment: number, range: Range, { path, entryId }: Pick<LineOrigin, 'path' | 'entryId'>): Promise<boolean> {
    const session = await this.session(path);
    if (!session?.byId.has(entryId)) return false;
    const { leafId } = session;
    const onLeaf = leafId !== null && isOnPath(session, leafId, entryId);
    const tip = await new Yielder(this.signal).run(newestTipBelow(session, onLeaf ? leafId : entryId));
    const key = JSON.stringify([path, tip]);
    const route = this.routes.get(key) ?? { session, tip, routed: [] };
    this.routes.set(key, route);
    if (route.routed.at(-1)?.comment !== comment) route.routed.push({ comment, range });
    return true;
  }

  /** Reads each session once; `undefined` for one that was deleted or torn a moment ago. */
  private async session(path: string): Promise<Session | undefined> {
    if (!this.sessions.has(path)) {
      const session = await this.catalog.session(path).catch((error: unknown) => {
        if (error instanceof SessionError) return undefined;
        throw error;
      });
      this.signal?.throwIfAborted();
      this.sessions.set(path, session);
    }
    return this.sessions.get(path);
  }

  /** The file relative to the session's folder. */
  private nameIn({ path, header }: Session, file: string): string {
    const folder = this.catalog.pathHere(path, header.cwd, '.');
    return placeWithin(folder, file)?.split(sep).join('/') ?? file;
  }
}

function refusalOf({ from, to, remark }: { from: number; to: number; remark: string }, count: number): SessionError | undefined {
  if (remark.trim() === '') return new SessionError('invalid', 'The comment is empty.');
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || to < from)
    return new SessionError('invalid', 'The comment’s lines aren’t a range.');
  if (to <= count) return undefined;
  return new SessionError('invalid', count === 1 ? 'The file has only 1 line.' : 'The file has only {count} lines.', { count });
}
