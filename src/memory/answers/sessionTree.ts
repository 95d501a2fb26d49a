/** The entries of a session as a tree: in the order of the tree, each with its depth. */
import { defined, FILTERS, isFilter, isVisible, pathTo, plainRow, type EntryHead, type Filter, type Session } from '../../core/index';
import type { Memory } from '../memory';
import { namesOf, type Located } from '../refs';
import { RequestError } from '../requestError';
import { isoTime, type EntryAnswer } from './values';

/** @throws {RequestError} for a filter that there isn't */
export function filterNamed(name: string): Filter {
  if (isFilter(name)) return name;
  throw new RequestError(`There is no filter “${name}”. The filters are: ${FILTERS.join(', ')}`);
}

/** Bytes of entries that are searched for secrets which the rows repeat. */
const MAX_LEARNED = 512 * 1024;

export interface TreeRequest {
  readonly filter?: string;
  /** Secrets are replaced unless this is false. */
  readonly redact?: boolean;
}

/** @throws {RequestError} */
export async function sessionTree(
  memory: Memory,
  { session, refs }: Located,
  { filter: named = 'default', redact = true }: TreeRequest = {},
): Promise<EntryAnswer[]> {
  const filter = filterNamed(named);
  const active = new Set(pathTo(session, session.leafId).map(({ id }) => id));
  const shown = visibleTree(session, filter);
  const secrets = redact ? await memory.secrets() : undefined;
  await secrets?.learn(session, MAX_LEARNED, memory.signal);
  const answers: EntryAnswer[] = [];
  for (const { head, parentId, depth } of shown) {
    const { id, type, role, time } = head;
    const text = plainRow(head);
    const label = session.labels.get(id);
    answers.push({
      ref: refs.of(namesOf(session), id),
      id,
      parentId,
      type,
      ...defined({ role, time: isoTime(time) }),
      text: secrets ? await secrets.text(text) : text,
      ...defined({ label: label !== undefined && secrets ? await secrets.text(label) : label }),
      state: active.has(id) ? 'active' : 'left',
      ...(id === session.leafId ? { isLeaf: true as const } : {}),
      depth,
    });
  }
  return answers;
}

interface Shown {
  readonly head: EntryHead;
  /** The nearest entry above that is shown. */
  readonly parentId: string | null;
  readonly depth: number;
}

/** Returns the visible entries in the order of the tree. Those after a fork are deeper than it, and others as deep as their parents. */
function visibleTree(session: Session, filter: Filter): Shown[] {
  const below = visibleChildren(session, filter);
  const shown: Shown[] = [];
  const stack: Shown[] = [];
  const push = (parentId: string | null, depth: number): void => {
    const children = below.get(parentId) ?? [];
    const deeper = children.length > 1 && parentId !== null ? depth + 1 : depth;
    for (const head of children.toReversed()) stack.push({ head, parentId, depth: deeper });
  };
  push(null, 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    shown.push(next);
    push(next.head.id, next.depth);
  }
  return shown;
}

/** Returns the visible entries by the nearest visible entry above. Entries precede what is below them in no certain order. */
function visibleChildren(session: Session, filter: Filter): Map<string | null, EntryHead[]> {
  const children = new Map<string | null, EntryHead[]>();
  const stack: { readonly id: string; readonly parentId: string | null }[] = session.roots.map((id) => ({ id, parentId: null })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { id, parentId } = next;
    const head = session.byId.get(id);
    const isShown = head !== undefined && isVisible(session, head, filter);
    if (isShown) {
      const list = children.get(parentId);
      if (list) list.push(head);
      else children.set(parentId, [head]);
    }
    for (const child of (session.children.get(id) ?? []).toReversed()) stack.push({ id: child, parentId: isShown ? id : parentId });
  }
  return children;
}
