/** An error article for a message that can no longer be read. */
import { localizeProblem } from '../shared/localization';
import { articleKind, type BuiltArticle } from './buildArticle';
import type { SessionError } from '../../core/format/entry/problem';
import type { MessageGroup } from '../snapshot/messageGroups';
import type { ContextSnapshot } from '../snapshot/contextSnapshot';

export function unreadableArticle({ session }: ContextSnapshot, { key, first }: MessageGroup, error: SessionError): BuiltArticle {
  const { entryId, role } = first;
  const text = localizeProblem(error);
  return {
    article: {
      key,
      kind: articleKind(role),
      entryId,
      time: session.byId.get(entryId)?.time ?? 0,
      parts: [{ kind: 'error', text: { text, nth: 0 } }],
    },
    texts: [text],
    images: [],
  };
}
