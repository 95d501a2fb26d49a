/** What the page has of the articles, and what it still has to ask for. Pure. */
import type { Article } from '../../shared/protocol';

export interface Range {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** Articles that are kept; those farthest from where somebody looks go first. */
const MAX_ARTICLES = 600;

export class ArticleStore {
  revision = -1;
  private lines: readonly number[] = [];
  private articles = new Map<number, Article>();
  /** Articles that were asked for at this revision. */
  private requested = new Set<number>();
  /** Articles that may no longer be true, but are better than nothing until the new ones come. */
  private stale = new Set<number>();
  /** Pieces of texts that were asked for, by article and number. */
  private pieces = new Map<string, string>();

  get count(): number {
    return this.lines.length;
  }

  open(revision: number, lines: readonly number[]): void {
    this.revision = revision;
    this.lines = lines;
    this.articles = new Map();
    this.requested = new Set();
    this.stale = new Set();
    this.pieces = new Map();
  }

  /** @returns how many articles there are more than before. */
  update(revision: number, from: number, lines: readonly number[]): number {
    const before = this.count;
    this.revision = revision;
    this.lines = [...this.lines.slice(0, from), ...lines];
    // Answers to what was asked at an earlier revision do not come any more.
    this.requested = new Set();
    for (const index of this.articles.keys()) {
      if (index >= this.count) this.articles.delete(index);
      else if (index >= from) this.stale.add(index);
    }
    return Math.max(0, this.count - before);
  }

  /** @returns the indices whose article is another than before. */
  put(revision: number, from: number, articles: readonly Article[]): number[] {
    if (revision !== this.revision) return [];
    return articles.flatMap((article, offset) => {
      const index = from + offset;
      const before = this.articles.get(index);
      this.articles.set(index, article);
      this.stale.delete(index);
      this.requested.delete(index);
      const same = before !== undefined && JSON.stringify(before) === JSON.stringify(article);
      if (!same) for (const key of this.pieces.keys()) if (key.startsWith(`${index}/`)) this.pieces.delete(key);
      return same ? [] : [index];
    });
  }

  get(index: number): Article | undefined {
    return this.articles.get(index);
  }

  linesAt(index: number): number {
    return this.lines[index] ?? 2;
  }

  /** What of a range must be asked for; it then counts as asked. */
  requestMissing({ from, to }: Range): Range | undefined {
    let first = -1;
    let last = -1;
    for (let index = Math.max(0, from); index < Math.min(to, this.count); index++) {
      if (this.requested.has(index) || !this.isMissing(index)) continue;
      if (first < 0) first = index;
      last = index;
    }
    if (first < 0) return undefined;
    for (let index = first; index <= last; index++) this.requested.add(index);
    return { from: first, to: last + 1 };
  }

  /** Whether all of a range is there and true. */
  has({ from, to }: Range): boolean {
    for (let index = from; index < Math.min(to, this.count); index++) if (this.isMissing(index)) return false;
    return true;
  }

  /** Forgets articles far from `around`, so that reading through a long session does not fill the memory. */
  trim(around: number): void {
    if (this.articles.size <= MAX_ARTICLES) return;
    const far = [...this.articles.keys()].sort((a, b) => Math.abs(b - around) - Math.abs(a - around));
    for (const index of far.slice(0, this.articles.size - MAX_ARTICLES)) {
      this.articles.delete(index);
      this.stale.delete(index);
      for (const key of this.pieces.keys()) if (key.startsWith(`${index}/`)) this.pieces.delete(key);
    }
  }

  /** What of a text's middle has come so far. */
  middle(index: number, n: number): string {
    return this.pieces.get(`${index}/${n}`) ?? '';
  }

  addPiece(index: number, n: number, text: string): void {
    this.pieces.set(`${index}/${n}`, this.middle(index, n) + text);
  }

  private isMissing(index: number): boolean {
    return this.stale.has(index) || !this.articles.has(index);
  }
}
