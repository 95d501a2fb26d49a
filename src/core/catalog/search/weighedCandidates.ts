/**
 * Finds the entries that fit a question best, though they lack some of its words: those whose words, with those of the entries around
 * them, weigh most. A rare word weighs more than a common one.
 */
import type { Yielder } from '../../files/concurrency/eventLoop';
import type { TableLine } from '../encoding/lineTable';
import { isRead } from '../index/words/lineText';
import { wordsOf } from '../index/words/words';
import type { CatalogReader } from '../database/catalogReader';
import type { PlaceLookup } from './candidates';
import { Turns } from './turns';
import { occursIn } from './query/searchQuery';
import { weighedExpression, type WeighedTerm } from './query/weighedQuery';

export interface WeighedCandidate {
  readonly path: string;
  readonly line: TableLine;
  /** The terms that the entry has. */
  readonly has: readonly WeighedTerm[];
  /** Terms that only entries around it have. */
  readonly near: readonly string[];
  /** Terms that neither has. */
  readonly missing: readonly string[];
}

/** The part of the weight that an entry must have with those around it; less is found by chance. */
const LEAST_PART = 0.7;
/** The part of the known words' weight that it may lack: words that sessions have, but not this one, speak of something else. */
const MOST_LACKING = 0.21;
/** The same for an entry that has two rare words of a question in another language than English, whose everyday words aren't all listed. */
const LEAST_PART_OF_TWO = 0.4;
const MOST_LACKING_OF_TWO = 0.45;
/** A word is rare if at most this part of all entries has it, or at most this number. */
const RARE_PART = 0.01;
const RARE_COUNT = 4;
/** The part that makes it worth to look at the prompt, and the title. */
const WORTH_LOOKING = 0.4;
/** The part that it must have itself. */
const LEAST_OWN = 0.25;
/** The part of the weight that counts for words of entries around. */
const NEAR = 0.5;
/** Entries around one, in the order of the file: a prompt, its calls and results, and an answer. */
const AROUND = 8;
/** Documents of a term that are looked at, the newest first. */
const MAX_DOCUMENTS = 4000;
/** Entries that are looked at, the best first. */
const MAX_PLACED = 60;
/** Entries of a session that are found. */
const MAX_OF_SESSION = 3;

interface Weighed {
  readonly term: WeighedTerm;
  readonly weight: number;
  /** The weight that a text lacks without it. */
  readonly lacking: number;
  /** In ascending order. */
  readonly documents: readonly number[];
}

/** Returns the text of a line. */
type ReadText = (path: string, line: TableLine) => Promise<string>;

interface LineAccess {
  readonly textOf: ReadText;
  /** True for a line that isn't found. */
  readonly isLookup: (path: string, line: TableLine) => Promise<boolean>;
}

/** The best first; of equally good ones what was said, and the newest. */
export async function weighedCandidates(
  stored: CatalogReader,
  terms: readonly WeighedTerm[],
  places: PlaceLookup,
  { textOf, isLookup }: LineAccess,
  pause: Yielder,
): Promise<WeighedCandidate[]> {
  if (terms.every(({ isWeak }) => isWeak)) return [];
  const total = stored.documentCount();
  const weighed: Weighed[] = [];
  for (const given of terms) {
    await pause.yieldIfDue();
    const term = asKnown(given, stored);
    const documents = stored.documentsOf(weighedExpression(term), MAX_DOCUMENTS);
    const rarity = Math.log(1 + total / Math.max(documents.length, 1)) * term.factor;
    // The index doesn't know whether the characters of a pair are in a row.
    const part = term.isWeak ? 0 : documents.length === 0 || term.isPair ? term.unknown : 1;
    weighed.push({ term, documents, weight: term.isWeak ? rarity / 4 : rarity, lacking: part * rarity });
  }
  const scorer = new Scorer(weighed, Math.max(RARE_COUNT, total * RARE_PART));
  // Most questions about what never happened end here.
  const best = scorer.ranked(MAX_PLACED);
  if (best.length === 0) return [];
  const found: (WeighedCandidate & { readonly score: number })[] = [];
  const turns = new Turns(places);
  const texts = new TermsOfTexts(stored, weighed, places, textOf);
  for (const document of best) {
    await pause.yieldIfDue();
    const own = await texts.of(document);
    if (!own) continue;
    const near = new Set(texts.named(own.path));
    for (const other of [...scorer.around(document), ...turns.prompts(document)]) {
      const there = await texts.of(other);
      if (there?.path === own.path && turns.areNear(document, other)) for (const index of there.terms) near.add(index);
    }
    const result = scorer.judge(own.terms, near);
    if (!result || (await isLookup(own.path, own.line))) continue;
    const of = (isIn: (index: number) => boolean): WeighedTerm[] => weighed.flatMap(({ term }, index) => (isIn(index) ? term : []));
    found.push({
      path: own.path,
      line: own.line,
      has: of((index) => own.terms.has(index)),
      near: of((index) => !own.terms.has(index) && near.has(index)).map(({ name }) => name),
      missing: of((index) => !own.terms.has(index) && !near.has(index)).map(({ name }) => name),
      score: result * (isRead(own.line.role) ? 0.85 : 1),
    });
  }
  return fewOfEach(found.sort((a, b) => rounded(b.score) - rounded(a.score) || b.line.time - a.line.time));
}

/** A verb with a particle, if sessions write it as one word: they speak of something else by the verb alone. */
function asKnown(term: WeighedTerm, stored: CatalogReader): WeighedTerm {
  const { phrasal = [] } = term;
  const joined = phrasal.filter(({ words }) => words.length === 1);
  return joined.length > 0 && stored.countOf(weighedExpression({ alternatives: joined }), 1) > 0
    ? { ...term, alternatives: phrasal }
    : { ...term, alternatives: [...term.alternatives, ...phrasal], phrasal: [] };
}

/** Scores that differ by less than a twentieth are equal, so that the newest of several attempts comes first. */
const rounded = (score: number): number => Math.round(score * 20);

function fewOfEach(candidates: readonly WeighedCandidate[]): WeighedCandidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MAX_OF_SESSION;
  });
}

class Scorer {
  /** The terms of each document, as bits. */
  private readonly bits = new Map<number, number>();
  private readonly sorted: readonly number[];
  private readonly wanted: number;
  /** The part of it whose words are known. */
  private readonly known: number;

  constructor(
    private readonly weighed: readonly Weighed[],
    private readonly rareCount: number,
  ) {
    for (const [index, { documents }] of weighed.entries())
      for (const document of documents) this.bits.set(document, (this.bits.get(document) ?? 0) | (1 << index));
    this.sorted = [...this.bits.keys()].sort((a, b) => a - b);
    const sum = (of: readonly Weighed[]): number => of.reduce((total, { lacking }) => total + lacking, 0);
    this.wanted = sum(weighed);
    this.known = sum(weighed.filter(({ documents, term }) => documents.length > 0 && !term.isPair));
  }

  /** The documents that may fit, the best first. */
  ranked(count: number): number[] {
    const found: { readonly document: number; readonly score: number }[] = [];
    for (const [at, document] of this.sorted.entries()) {
      const own = this.bits.get(document) ?? 0;
      if (this.sum(own) < this.wanted * LEAST_OWN) continue;
      let near = own;
      for (let index = at - 1; index >= 0 && document - (this.sorted[index] ?? 0) <= AROUND; index--)
        near |= this.bits.get(this.sorted[index] ?? 0) ?? 0;
      for (let index = at + 1; index < this.sorted.length && (this.sorted[index] ?? 0) - document <= AROUND; index++)
        near |= this.bits.get(this.sorted[index] ?? 0) ?? 0;
      if (this.sum(near) >= this.wanted * WORTH_LOOKING) found.push({ document, score: this.scoreOf(own, near) });
    }
    return found
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, count)
      .map(({ document }) => document);
  }

  /** The documents around one that have terms. */
  around(document: number): number[] {
    const near: number[] = [];
    for (let other = document - AROUND; other <= document + AROUND; other++)
      if (other !== document && this.bits.has(other)) near.push(other);
    return near;
  }

  /** A score up to about 1; `undefined` if it doesn't fit. */
  judge(own: ReadonlySet<number>, near: ReadonlySet<number>): number | undefined {
    const bitsOf = (indexes: ReadonlySet<number>): number => [...indexes].reduce((bits, index) => bits | (1 << index), 0);
    const [has, all] = [bitsOf(own), bitsOf(own) | bitsOf(near)];
    const [least, lacking] = this.rareWords(has) > 1 ? [LEAST_PART_OF_TWO, MOST_LACKING_OF_TWO] : [LEAST_PART, MOST_LACKING];
    const fits = this.sum(all) >= this.wanted * least && this.known - this.sum(all, false) <= this.known * lacking;
    return fits && this.sum(has) >= this.wanted * LEAST_OWN ? this.scoreOf(has, all) : undefined;
  }

  /**
   * The rare words that an entry has of a question in another language. Pairs of characters that overlap are one word, and words in a row
   * are one less than they are: two may be a name.
   */
  private rareWords(own: number): number {
    let [count, row, after] = [0, 0, -1];
    for (const [index, { term, documents }] of this.weighed.entries()) {
      const counts = term.isForeign && !term.isWeak && term.unknown > 0 && documents.length <= this.rareCount;
      if (!counts || (own & (1 << index)) === 0 || term.start < after) continue;
      row = after >= 0 && term.start <= after + (term.isPair ? 0 : 1) ? row + 1 : 1;
      if (row !== 2) count++;
      after = term.end;
    }
    return count;
  }

  private sum(bits: number, hasPairs = true): number {
    let sum = 0;
    for (const [index, { lacking, documents, term }] of this.weighed.entries())
      if ((bits & (1 << index)) !== 0 && documents.length > 0 && (hasPairs || !term.isPair)) sum += lacking;
    return sum;
  }

  private scoreOf(own: number, near: number): number {
    let score = 0;
    for (const [index, { weight }] of this.weighed.entries()) {
      const bit = 1 << index;
      if ((own & bit) !== 0) score += weight;
      else if ((near & bit) !== 0) score += weight * NEAR;
    }
    return score / this.wanted;
  }
}

interface TermsOfText {
  readonly path: string;
  readonly line: TableLine;
  readonly terms: ReadonlySet<number>;
}

/** The terms that texts have: by the index, and words and characters in a row by the text. */
class TermsOfTexts {
  private readonly known = new Map<number, Promise<TermsOfText | undefined>>();
  private readonly names = new Map<string, readonly number[]>();
  private readonly sets: readonly ReadonlySet<number>[];

  constructor(
    private readonly stored: CatalogReader,
    private readonly weighed: readonly Weighed[],
    private readonly places: PlaceLookup,
    private readonly textOf: ReadText,
  ) {
    this.sets = weighed.map(({ documents }) => new Set(documents));
  }

  of(document: number): Promise<TermsOfText | undefined> {
    const found = this.known.get(document) ?? this.read(document);
    this.known.set(document, found);
    return found;
  }

  /** The terms of the session's name and of its folder. */
  named(path: string): readonly number[] {
    let found = this.names.get(path);
    if (!found) {
      const { name = '', cwd = '' } = this.stored.summary(path) ?? {};
      const words = [...wordsOf(`${name} ${cwd}`)];
      found = this.weighed.flatMap(({ term }, index) => (term.alternatives.some((one) => occursIn(one, words)) ? index : []));
      this.names.set(path, found);
    }
    return found;
  }

  private async read(document: number): Promise<TermsOfText | undefined> {
    const { path, lines } = this.places.placeOf({ document, words: 0 });
    const [line] = lines;
    // A label may have been changed since.
    if (!line || line.role === 'label') return undefined;
    const terms = new Set<number>();
    const pairs: number[] = [];
    for (const [index, { term }] of this.weighed.entries()) {
      if (!this.sets[index]?.has(document)) continue;
      if (term.isPair || term.phrasal?.length) pairs.push(index);
      else terms.add(index);
    }
    if (pairs.length > 0) {
      const words = [...wordsOf(await this.textOf(path, line))];
      for (const index of pairs) if (this.weighed[index]?.term.alternatives.some((pair) => occursIn(pair, words))) terms.add(index);
    }
    return { path, line, terms };
  }
}
