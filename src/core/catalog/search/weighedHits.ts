/** Entries that have most of a question's weight as hits, with the part of the text that has most of its words. */
import type { Yielder } from '../../files/concurrency/eventLoop';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { wordsOf } from '../index/words/words';
import type { PlaceLookup } from './candidates';
import type { IndexedLineReader } from './indexedLineReader';
import type { SearchScope } from './searchFilter';
import { occursIn, snippetOf, type Query, type Snippet } from './query/searchQuery';
import { isLookup } from './lookups';
import { weighedCandidates } from './weighedCandidates';
import { weighedTerms, type WeighedTerm } from './query/weighedQuery';

/** UTF-16 units that a snippet shows at least. */
const SHOWN = 140;
/** The beginning of a text in which its best part is looked for. */
const MAX_TEXT = 64 * 1024;

/** See `SearchHit`. */
interface WeighedHit extends Snippet {
  readonly path: string;
  readonly entryId: string;
  readonly active: boolean;
  readonly role: string;
  readonly time: number;
  readonly elsewhere?: readonly string[];
  readonly missing: readonly string[];
}

export async function weighedHits(
  { reader }: SearchScope,
  text: string,
  places: PlaceLookup,
  files: IndexedLineReader,
  pause: Yielder,
): Promise<WeighedHit[]> {
  const terms = weighedTerms(text);
  const candidates = await weighedCandidates(
    reader,
    terms,
    places,
    {
      textOf: async (path, line) => (await files.read(path, line))?.text ?? '',
      isLookup: async (path, line) => {
        const content = await files.read(path, line);
        return content !== undefined && isLookup(line.role, content);
      },
    },
    pause,
  );
  const hits: WeighedHit[] = [];
  for (const { path, line, has, near, missing } of candidates) {
    await pause.yieldIfDue();
    const content = await files.read(path, line);
    const said = content && (line.role === 'user' ? unwrapUserText(content.text).text : content.text);
    const snippet = said === undefined ? undefined : (bestPart(said, has) ?? bestPart(content?.text ?? '', has));
    if (!snippet) continue;
    const { entryId, active, role, time } = line;
    hits.push({ path, entryId, active, role, time, ...snippet, ...(near.length > 0 ? { elsewhere: near } : {}), missing });
  }
  return hits;
}

/** The part of a text with the most terms; the first of equally good ones. */
function bestPart(text: string, terms: readonly WeighedTerm[]): Snippet | undefined {
  const words = [...wordsOf(text.slice(0, MAX_TEXT))];
  const places: { readonly start: number; readonly term: number }[] = [];
  for (const [at, word] of words.entries())
    for (const [term, { alternatives, isPair }] of terms.entries()) {
      const run = isPair ? words.slice(at, at + 2) : [word];
      if (alternatives.some((one) => run[0]?.start === word.start && (isPair ? startsWith(one.words, run) : occursIn(one, run))))
        places.push({ start: word.start, term });
    }
  let [best, from] = [0, 0];
  for (const [at, { start }] of places.entries()) {
    const seen = new Set<number>();
    for (let other = at; other < places.length && (places[other]?.start ?? 0) < start + SHOWN; other++) seen.add(places[other]?.term ?? 0);
    if (seen.size > best) [best, from] = [seen.size, start];
  }
  const query: Query = { all: terms.flatMap(({ alternatives }) => alternatives), none: [], joined: [] };
  // A little before it, so that the part doesn't begin with the word.
  const begin = Math.max(0, text.lastIndexOf(' ', Math.max(0, from - LEAD)));
  const found = snippetOf(text.slice(begin), query);
  return found && begin > 0 && !found.snippet.startsWith('…')
    ? { snippet: `…${found.snippet}`, marks: found.marks.map(([start, end]) => [start + 1, end + 1]) }
    : found;
}

const LEAD = 40;

const startsWith = (wanted: readonly string[], run: readonly { readonly word: string }[]): boolean =>
  wanted.every((word, index) => run[index]?.word === word);
