/** Says which words of a question sessions have, by the index alone. */
import { Yielder } from '../../files/concurrency/eventLoop';
import { fold } from '../index/words/words';
import { PlaceLookup } from './candidates';
import { createSessionFilter, type SearchScope } from './searchFilter';
import type { SearchOptions } from './search';
import { weighedExpression, weighedTerms, type WeighedTerm } from './query/weighedQuery';

/** A word of a question. */
export interface KnownWord {
  /** As it was asked for; its beginning and `*`, if sessions only have words that begin like it. */
  readonly word: string;
  /** The number of sessions that have the word or a form of it. */
  readonly sessions: number;
  /** True if more sessions may have it. */
  readonly isMore: boolean;
  /** True for two characters in a row, which the sessions may have apart. */
  readonly isPair: boolean;
}

/** Lines of a word that are looked at, the newest first. */
const MAX_DOCUMENTS = 2000;
/** Sessions of a word that are counted. */
const MAX_SESSIONS = 100;

/**
 * Returns the words of a question that say what it's about, the rarest first, and those that no session has last.
 *
 * @throws the signal's reason when it is aborted
 */
export async function knownWords(scope: SearchScope, text: string, options: SearchOptions): Promise<KnownWord[]> {
  const pause = new Yielder(options.signal);
  const { reader } = scope;
  reader.dropOutdatedLines();
  const places = new PlaceLookup(reader, await createSessionFilter(scope, options));
  const count = async (alternatives: WeighedTerm['alternatives']): Promise<Pick<KnownWord, 'sessions' | 'isMore'>> => {
    await pause.yieldIfDue();
    const documents = reader.documentsOf(weighedExpression({ alternatives }), MAX_DOCUMENTS, options.paths);
    const sessions = new Set<number>();
    let last = -Infinity;
    for (const document of documents) {
      // One of the same range as the document before.
      if (document <= last) continue;
      if (pause.isDue()) await pause.yieldIfDue();
      const session = places.sessionOf(document);
      if (!session || (!session.isWhole && places.placeOf({ document, words: 0 }).lines.length === 0)) continue;
      sessions.add(session.n);
      last = session.last;
      if (sessions.size === MAX_SESSIONS) return { sessions: MAX_SESSIONS, isMore: true };
    }
    return { sessions: sessions.size, isMore: documents.length >= MAX_DOCUMENTS };
  };
  // The words of a phrase may be known one by one.
  const unquoted = text.replaceAll(/-"[^"]*"?/g, (excluded) => ' '.repeat(excluded.length)).replaceAll('"', ' ');
  const terms = weighedTerms(unquoted);
  const telling = terms.filter(({ isWeak }) => !isWeak);
  const words: KnownWord[] = [];
  for (const { start, end, alternatives, isPair } of telling.length > 0 ? telling : terms) {
    const asked = text.slice(start, end);
    let [word, found] = [asked, await count(alternatives.slice(0, 1))];
    const begin = alternatives.find(({ prefix }) => prefix)?.words[0];
    if (begin !== undefined && found.sessions === 0 && !found.isMore) {
      found = await count(alternatives.filter(({ prefix }) => prefix));
      const written = asked.slice(0, begin.length);
      if (found.sessions > 0) word = `${fold(written) === begin ? written : begin}*`;
    }
    // It isn't known whether a session has it, or how many have the two characters in a row.
    if (!found.isMore || (found.sessions > 0 && !isPair)) words.push({ word, isPair, ...found });
  }
  const rank = ({ sessions }: KnownWord): number => (sessions === 0 ? MAX_SESSIONS + 1 : sessions);
  return words.sort((a, b) => rank(a) - rank(b));
}
