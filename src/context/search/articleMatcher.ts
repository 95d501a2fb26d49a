/** Finds matches in an article's texts as they are drawn, and the folds that contain them. */
import { findPattern, MAX_FIND_LENGTH, type FindQuery } from '../../core/format/text/findPattern';
import { SEARCHED_UNITS } from '../../core/format/text/searchSteps';
import type { BuiltArticle } from '../articles/buildArticle';
import { boundaryAfter, boundaryBefore } from '../../core/format/text/characters';
import { createMarkdownRenderer, MARKDOWN_PIECE_LENGTH, type MarkdownRenderer } from '../shared/markdownRenderer';
import type { MatchLocation, Part, ToolPart } from '../shared/protocol';

/** A searchable text of an article. The page marks the element that shows it with the key. */
interface SearchableText {
  readonly key: string;
  readonly folds: readonly string[];
  readonly text: string;
  readonly isMarkdown: boolean;
  /** True if the text is sent to the page without its middle. */
  readonly isTruncated: boolean;
}

/** UTF-16 units before and after a match in a truncated text. */
const EXCERPT_CONTEXT = 500;
/** UTF-16 units of a match across the end of a piece that is searched at once; in a longer one, a query has much white space. */
const MAX_MATCH = 8 * MAX_FIND_LENGTH;

export function searchableTexts({ article, texts }: BuiltArticle): SearchableText[] {
  const found: SearchableText[] = [];
  const addText = (key: string, text: string | undefined, folds: readonly string[] = []): void => {
    if (text !== undefined && text !== '') found.push({ key, folds, text, isMarkdown: false, isTruncated: false });
  };
  const addTruncatable = (nth: number, isTruncated: boolean, folds: readonly string[], isMarkdown = false): void => {
    found.push({ key: String(nth), folds, text: texts[nth] ?? '', isMarkdown, isTruncated });
  };
  const part = (one: Part, at: string, folds: readonly string[]): void => {
    switch (one.kind) {
      case 'markdown': {
        addTruncatable(one.text.nth, one.text.omitted !== undefined, folds, true);
        return;
      }
      case 'thinking': {
        addTruncatable(one.text.nth, one.text.omitted !== undefined, [...folds, at], true);
        return;
      }
      case 'output':
      case 'error': {
        addTruncatable(one.text.nth, one.text.omitted !== undefined, folds);
        return;
      }
      case 'tool': {
        tool(one, at, folds);
        return;
      }
      case 'fold': {
        addText(`name ${at}`, one.name, folds);
        addText(`head ${at}`, one.summary, folds);
        one.parts.forEach((inner, index) => part(inner, `${at}.${index}`, [...folds, at]));
        return;
      }
      case 'run':
        for (const text of [one.command, one.output]) if (text) addTruncatable(text.nth, text.omitted !== undefined, folds);
        return;
      default:
    }
  };
  const tool = (one: ToolPart, at: string, folds: readonly string[]): void => {
    const { args, diff } = one;
    addText(`name ${at}`, one.name, folds);
    addText(`head ${at}`, one.summary, folds);
    const within = [...folds, at];
    if (args && !diff) addTruncatable(args.nth, args.omitted !== undefined, within);
    if (diff) addTruncatable(diff.nth, diff.omitted !== undefined, within);
    one.result.forEach((result, index) => part(result, `${at}.${index}`, within));
    if (args && diff) addTruncatable(args.nth, args.omitted !== undefined, [...within, `${at}/args`]);
  };
  addText('row', article.row?.text);
  addText('label', article.label);
  article.parts.forEach((one, at) => part(one, String(at), article.row ? ['row'] : []));
  return found;
}

/** Matches one query against one article after another. */
export class ArticleMatcher {
  private readonly pattern: RegExp | undefined;
  /** Matches the longest word of the query, or of each of its words. The Markdown source contains it if the drawn text contains the query. */
  private readonly prefilter: RegExp | undefined;
  private markdown: MarkdownRenderer | undefined;
  /** UTF-16 units of Markdown rendered since the last yield. */
  private renderedSinceYield = 0;

  /** @param pause yields to the event loop */
  constructor(
    query: FindQuery,
    private readonly pause: () => Promise<void>,
  ) {
    this.pattern = findPattern(query);
    const needed = (query.anyWord ? query.text.trim().split(/\s+/) : [query.text]).map(longestWord);
    // A word of signs only may be in any text.
    if (needed.every((word) => word !== undefined))
      this.prefilter = findPattern({ text: needed.join(' '), matchCase: query.matchCase, wholeWord: false, anyWord: true });
  }

  /** Counts matches up to `limit`. Yields to the event loop, because an article may have any number of long texts. */
  async count(built: BuiltArticle, limit: number): Promise<number> {
    let count = 0;
    for (const text of searchableTexts(built)) count += (await this.matchOffsets(text, limit - count)).length;
    return count;
  }

  /** Returns the location of the `nth` match, from 0. */
  async locate(built: BuiltArticle, nth: number): Promise<MatchLocation | undefined> {
    let left = nth;
    for (const text of searchableTexts(built)) {
      const offsets = await this.matchOffsets(text, left + 1);
      const at = offsets[left];
      if (at !== undefined)
        return { key: text.key, folds: text.folds, nth: left, ...(text.isTruncated ? { excerpt: this.excerpt(text, offsets, at) } : {}) };
      left -= offsets.length;
    }
    return undefined;
  }

  private excerpt({ text }: SearchableText, offsets: readonly number[], at: number): NonNullable<MatchLocation['excerpt']> {
    const line = text.lastIndexOf('\n', Math.max(0, at - EXCERPT_CONTEXT)) + 1;
    const from = at - line > 2 * EXCERPT_CONTEXT ? boundaryBefore(text, Math.max(0, at - EXCERPT_CONTEXT)) : line;
    const end = text.indexOf('\n', at + EXCERPT_CONTEXT);
    const to = end < 0 || end - at > 2 * EXCERPT_CONTEXT ? boundaryAfter(text, at + EXCERPT_CONTEXT) : end;
    return { from, text: text.slice(from, to), nth: offsets.filter((offset) => offset >= from && offset < at).length };
  }

  /** Returns the offsets of at most `limit` matches. */
  private async matchOffsets(searchable: SearchableText, limit: number): Promise<number[]> {
    const { pattern } = this;
    // Truncated Markdown is searched in its source, because the page draws it in pieces.
    const text = searchable.isMarkdown && !searchable.isTruncated ? await this.renderedText(searchable.text) : searchable.text;
    const offsets: number[] = [];
    if (!pattern || text === '') return offsets;
    for (let from = 0, next = 0; from < text.length && offsets.length < limit; from += SEARCHED_UNITS) {
      if (from > 0) await this.pause();
      // The unit before decides if a word begins.
      const start = Math.max(0, from - 1);
      const piece = text.slice(start, from + SEARCHED_UNITS + MAX_MATCH);
      pattern.lastIndex = Math.max(from, next) - start;
      for (let match = pattern.exec(piece); match && offsets.length < limit; match = pattern.exec(piece)) {
        if (start + match.index >= from + SEARCHED_UNITS) break;
        offsets.push(start + match.index);
        next = start + pattern.lastIndex;
      }
    }
    return offsets;
  }

  /**
   * Returns the text of Markdown as it is drawn; empty if the prefilter excludes a match.
   *
   * The tags are removed by a regular expression and not by a parser: the HTML is our renderer's, which escapes `<` and
   * `>` in text and attributes, so `<[^>]*>` matches exactly its tags, in linear time.
   */
  private async renderedText(text: string): Promise<string> {
    if (this.prefilter) this.prefilter.lastIndex = 0;
    // Markup may split a word, and a character may be written as an entity.
    if (this.prefilter && !this.prefilter.test(text.replace(/[*_~`\\]+/g, '')) && !text.includes('&')) return '';
    this.markdown ??= createMarkdownRenderer();
    if ((this.renderedSinceYield += text.length) > MARKDOWN_PIECE_LENGTH) {
      this.renderedSinceYield = text.length;
      await this.pause();
    }
    return decodeEntities(this.markdown.toHtml(text).replace(/<[^>]*>/g, ''));
  }
}

/** Returns the longest run of letters and digits. */
const longestWord = (text: string): string | undefined => (text.match(/[\p{L}\p{N}]+/gu) ?? []).sort((a, b) => b.length - a.length)[0];

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const decodeEntities = (html: string): string => html.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
