/** Replaces secrets and personal data in the lines of a session by placeholders, the same one for the same text. */
import { defined } from '../values/defined';
import type { Steps } from '../session/steps';
import { locationOf, STRINGS_OF_STEP, type JsonString } from './jsonStrings';
import { idsInAddresses } from './detectors/addressIds';
import { KnownValues } from './detectors/knownValues';
import { plainSecret } from './detectors/plainSecret';
import type { LineString } from './lineDocument';
import { replaceSpans, scanLine, scanTogether, SPANS_OF_STEP, withSpans, type ScannedLine, type Search } from './scannedLine';
import type { Span } from './detectors/span';

/** Something that an export replaces, or may have to. */
export interface Finding {
  /** Absent for the session's header. */
  readonly entryId?: string;
  /** The place in the line, such as `message.content[0].text`. */
  readonly field: string;
  /** Name of what was found, such as `github-token`, `home` or `long-random-text`. */
  readonly rule: string;
  /** The text around it, with the placeholder instead of the secret. */
  readonly excerpt: string;
  /** The placeholder: the same one wherever the same secret is, however it's written. */
  readonly placeholder: string;
  /**
   * Stands for the secret in {@link RedactionChoices}: the same one in each pass over any lines, as long as this process runs, unlike
   * the numbers of placeholders. The text can't be derived from it.
   */
  readonly key: string;
  /** Set for what may be a secret or not. It's only replaced if asked for. */
  readonly uncertain?: true;
  /** Set for what stays as it is: what is uncertain, unless chosen, and what was chosen to stay. */
  readonly kept?: true;
}

/** Choices of a person who has reviewed the findings, by their keys. */
export interface RedactionChoices {
  /** Findings that stay as they are, also uncertain ones. */
  readonly keep?: ReadonlySet<string>;
  /** Uncertain findings to replace; `true` for all. */
  readonly also?: ReadonlySet<string> | true;
}

export interface RedactedLine {
  readonly text: string;
  /** The findings that were replaced, and those that may have to be. */
  readonly findings: readonly Finding[];
}

/** Number of different texts that get numbers of their own. Others share one placeholder, so that memory is bounded. */
const MAX_PLACEHOLDERS = 50_000;
/** The span of an uncertain text, without its place. */
const UNCERTAIN = { kind: 'uncertain', rule: '' } as const;
/** UTF-16 units of an excerpt before and after its finding. */
const AROUND = 32;

/** UTF-16 units of lines that are searched together: their texts, and those that are shown as one, are one window of the search. */
const MAX_TOGETHER = 24 * 1024;
/** Keys and certificates, which may reach from one text to others, or tell what these are. */
const ALONE = /-----|Private-Lines/;

/** The lines from a place on that are searched together: at least one. */
function groupAt(lines: readonly string[], from: number): readonly string[] {
  let units = 0;
  let end = from;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    units += line.length;
    if (units > MAX_TOGETHER || ALONE.test(line)) break;
  }
  return lines.slice(from, Math.max(end, from + 1));
}

/** True for a part of the text that was found. */
const isPart = (value: string, { secret }: Span): boolean => secret !== undefined && secret.length > value.length && secret.includes(value);

/** Returns the text before and after a span. Characters that may belong to a secret that a rule cut too short aren't shown. */
function around(before: string, after: string, { kind }: Span): [string, string] {
  if (kind === 'own' || kind === 'personal') return [before, after];
  return [before.replace(/[A-Za-z0-9_+-]+$/, '…'), after.replace(/^[A-Za-z0-9_+/=-]+/, '…')];
}

/**
 * Works in two passes: each line is learned first, then redacted. So a secret that is recognized by its surroundings in one place
 * is replaced in all others.
 */
export class Redactor {
  private readonly placeholders = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly known = new KnownValues();
  /** Uncertain texts of the lines that were learned, and those that a person chose. */
  private readonly uncertain = new Set<string>();
  /** Ids in the addresses of the lines that were learned, and secrets that aren't secrets if they are such an id. */
  private readonly addressed = new Set<string>();
  private readonly mayBeIds = new Map<string, Span>();
  /** See {@link scanTogether}. */
  private readonly plain = new Set<string>();
  private chosen = new KnownValues();
  private choices: RedactionChoices = {};

  /** @param keyOf returns the {@link Finding.key} of a text. */
  constructor(
    private readonly search: Search,
    private readonly keyOf: (value: string) => string,
  ) {}

  /** Sets the choices of a person, for the lines that are redacted from now on. A chosen text is replaced wherever it stands. */
  choose(choices: RedactionChoices): void {
    this.choices = choices;
    this.chosen = new KnownValues();
    for (const value of this.uncertain) this.addIfChosen(value);
  }

  private addIfChosen(value: string): void {
    if (this.isChosen(this.keyOf(plainSecret(value, UNCERTAIN)))) this.chosen.add(value);
  }

  /** Works like {@link learn} for each of the lines, of which most have nothing to find. */
  *learnAll(lines: readonly string[]): Steps<void> {
    for (let at = 0; at < lines.length;) {
      const group = groupAt(lines, at);
      at += group.length;
      const texts = group.length > 1 ? yield* scanTogether(group, this.search, this.plain) : [];
      for (const [index, line] of group.entries()) {
        const leaves = texts[index];
        if (!leaves || leaves.some(({ spans }) => spans.length > 0)) yield* this.learn(line);
        else for (const { string } of leaves) this.learnAddresses(string.value);
      }
    }
  }

  private learnAddresses(text: string): void {
    for (const id of idsInAddresses(text)) if (this.addressed.size < MAX_PLACEHOLDERS) this.addressed.add(id);
  }

  /** Takes in what a line holds; returns false if a rule found nothing. */
  *learn(line: string): Steps<boolean> {
    const { leaves } = yield* scanLine(line, this.search);
    let count = 0;
    for (const [index, { string, spans }] of leaves.entries()) {
      if (index % STRINGS_OF_STEP === 0) yield;
      this.learnAddresses(string.value);
      for (const span of spans) {
        if (++count % SPANS_OF_STEP === 0) yield;
        const value = string.value.slice(span.start, span.end);
        this.placeholderOf(value, span);
        if (span.unlessInAddress && this.mayBeIds.size < MAX_PLACEHOLDERS) this.mayBeIds.set(value, span);
        else this.keep(value, span);
      }
    }
    return leaves.some(({ spans }) => spans.length > 0);
  }

  /** Keeps a text to find it in other places, too. */
  private keep(value: string, span: Span): void {
    if (span.kind === 'format' || span.kind === 'context') {
      // A part of a secret may be anything elsewhere.
      if (!isPart(value, span)) this.known.add(value);
      this.known.add(plainSecret(value, span));
    }
    if (span.kind !== 'uncertain' || this.uncertain.has(value) || this.uncertain.size >= MAX_PLACEHOLDERS) return;
    this.uncertain.add(value);
    this.addIfChosen(value);
  }

  /** Returns a span as all lines together tell what it is. */
  private settled(value: string, span: Span): Span {
    return span.unlessInAddress && this.addressed.has(value) ? { ...span, kind: 'uncertain' } : span;
  }

  /**
   * Returns a line without what was found in it.
   *
   * @param found the answer of {@link learn}: without anything to find, only the secrets of other lines are looked for.
   */
  *redact(line: string, found: boolean, entryId?: string): Steps<RedactedLine> {
    for (const [value, span] of this.mayBeIds) this.keep(value, this.settled(value, span));
    this.mayBeIds.clear();
    const known = this.known.isEmpty && this.chosen.isEmpty ? [] : [this.known.find, this.chosen.find];
    if (!found && known.length === 0) return { text: line, findings: [] };
    const { plain, other } = found ? this.search : { plain: [], other: [] };
    const scanned = yield* scanLine(line, { plain: [...plain, ...known], other: [...other, ...known] });
    for (const [index, leaf] of scanned.leaves.entries()) {
      if (index % STRINGS_OF_STEP === 0) yield;
      if (leaf.spans.length > 0) leaf.spans = leaf.spans.map((span) => this.settled(leaf.string.value.slice(span.start, span.end), span));
    }
    if (scanned.leaves.every(({ spans }) => spans.length === 0)) return { text: line, findings: [] };
    return {
      text: yield* replaceSpans(scanned, (value, span) => this.replacementOf(value, span)),
      findings: yield* this.findingsOf(scanned, entryId),
    };
  }

  private placeholderOf(value: string, span: Span): string {
    const { rule } = span;
    const secret = plainSecret(value, span);
    const known = this.placeholders.get(secret);
    if (known !== undefined) return known;
    if (this.placeholders.size >= MAX_PLACEHOLDERS) return `[redacted:${rule}]`;
    const count = (this.counts.get(rule) ?? 0) + 1;
    this.counts.set(rule, count);
    const placeholder = `[redacted:${rule}-${String(count)}]`;
    this.placeholders.set(secret, placeholder);
    return placeholder;
  }

  /** Returns the placeholder that replaces a text; `undefined` if it stays. */
  private replacementOf(value: string, span: Span): string | undefined {
    if (!this.isReplaced(this.keyOf(plainSecret(value, span)), span)) return undefined;
    return span.continues ? '' : this.placeholderOf(value, span);
  }

  private isReplaced(key: string, { kind }: Span): boolean {
    return kind === 'uncertain' ? this.isChosen(key) : this.choices.keep?.has(key) !== true;
  }

  private isChosen(key: string): boolean {
    const { keep, also } = this.choices;
    return keep?.has(key) !== true && (also === true || also?.has(key) === true);
  }

  private *findingsOf({ document, leaves }: ScannedLine, entryId: string | undefined): Steps<Finding[]> {
    const mask = (value: string, span: Span): string => this.placeholderOf(value, span);
    const keyTexts = new Map<JsonString, string>();
    for (const { string, spans } of document.texts)
      if (string.isKey && spans.length > 0) keyTexts.set(string, yield* withSpans(string.value, spans, mask));
    const findings: Finding[] = [];
    for (const leaf of leaves) {
      if (leaf.spans.length === 0) continue;
      const field = locationOf(leaf.outer, (key) => keyTexts.get(key) ?? key.value);
      for (const [index, span] of leaf.spans.entries()) {
        if (!span.continues) findings.push(this.findingOf(leaf, span, index, field, entryId));
        if (findings.length % SPANS_OF_STEP === 0) yield;
      }
    }
    return findings;
  }

  private findingOf({ string, spans }: LineString, span: Span, index: number, field: string, entryId: string | undefined): Finding {
    const value = string.value.slice(span.start, span.end);
    const placeholder = this.placeholderOf(value, span);
    const key = this.keyOf(plainSecret(value, span));
    const from = Math.max(spans[index - 1]?.end ?? 0, span.start - AROUND);
    const to = Math.min(spans[index + 1]?.start ?? string.value.length, span.end + AROUND);
    const [before, after] = around(string.value.slice(from, span.start), string.value.slice(span.end, to), span);
    const text = `${from > 0 ? '…' : ''}${before}${placeholder}${after}${to < string.value.length ? '…' : ''}`;
    return {
      ...defined({ entryId }),
      field,
      rule: placeholder.replace(/^\[redacted:(.*?)(?:-\d+)?\]$/, '$1'),
      excerpt: text.replaceAll(/\s+/g, ' ').replaceAll('……', '…'),
      placeholder,
      key,
      ...defined({ uncertain: span.kind === 'uncertain' || undefined, kept: !this.isReplaced(key, span) || undefined }),
    };
  }
}
