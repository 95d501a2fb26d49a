/** In place of a message that can't be read any more. */
import { reasonOf } from '../ui/sentence';
import { kindOf, type BuiltArticle } from './article';
import type { SessionError } from '../core/index';
import type { Group } from './groups';
import type { Reading } from './reading';

export function unreadable({ session, slots }: Reading, { key, from }: Group, error: SessionError): BuiltArticle {
  const { entryId, role } = slots[from]!;
  const text = reasonOf(error);
  return {
    article: { key, kind: kindOf(role), entryId, time: session.byId.get(entryId)?.time ?? 0, parts: [{ kind: 'error', text: { text, n: 0 } }] },
    texts: [text],
    images: [],
  };
}
