/** The loaded articles, and which are still to be requested. Pure. */
import type { Article } from '../../shared/protocol';

export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Articles kept; the ones farthest from the visible range are removed first. */
const MAX_ARTICLES = 600;

export class ArticleStore {
  revision = -1;
  private lines: readonly number[] = [];
  private articles = new Map<number, Article>();
  /** Articles that were requested and haven't changed since. */
  private requested = new Set<number>();
  /** Articles that may be outdated, shown until the new ones arrive. */
  private stale = new Set<number>();
  /** Loaded pieces of truncated texts, by article and number. */
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

  /** @returns the number of additional articles. */
  update(revision: number, from: number, lines: readonly number[]): number {
    const before = this.count;
    this.revision = revision;
    this.lines = [...this.lines.slice(0, from), ...lines];
    for (const index of this.requested) if (index >= from) this.requested.delete(index);
    for (const index of this.articles.keys()) {
      if (index >= this.count) this.articles.delete(index);
      else if (index >= from) this.stale.add(index);
    }
    return Math.max(0, this.count - before);
  }

  /** @returns the indices of articles that changed. */
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

  /** Returns the part of a range that has to be requested, and marks it as requested. */
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

  /** Returns true if all articles of a range are loaded and up to date. */
  has({ from, to }: Range): boolean {
    for (let index = from; index < Math.min(to, this.count); index++) if (this.isMissing(index)) return false;
    return true;
  }

  /** Removes articles far from `around`, so that the memory stays bounded in a long session. */
  trim(around: number): void {
    if (this.articles.size <= MAX_ARTICLES) return;
    const far = [...this.articles.keys()].sort((a, b) => Math.abs(b - around) - Math.abs(a - around));
    for (const index of far.slice(0, this.articles.size - MAX_ARTICLES)) {
      this.articles.delete(index);
      this.stale.delete(index);
      for (const key of this.pieces.keys()) if (key.startsWith(`${index}/`)) this.pieces.delete(key);
    }
  }

  /** Returns the loaded pieces of a text's middle. */
  middle(index: number, nth: number): string {
    return this.pieces.get(`${index}/${nth}`) ?? '';
  }

  addPiece(index: number, nth: number, text: string): void {
    this.pieces.set(`${index}/${nth}`, this.middle(index, nth) + text);
  }

  private isMissing(index: number): boolean {
    return this.stale.has(index) || !this.articles.has(index);
  }
}
