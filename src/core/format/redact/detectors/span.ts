/** Parts of a text that a rule recognized. */
import { defined } from '../../values/defined';

/** The certainty of a rule, and its subject. */
type SpanKind =
  /** A format that nothing else has, such as a token with its issuer's prefix. */
  | 'format'
  /** Text whose surroundings say that it's a secret, such as the value of a password. */
  | 'context'
  /** Data of the person: a folder, a name, an address. */
  | 'personal'
  /** A word or pattern of the person's own. */
  | 'own'
  /** A long random text, which may be a secret or not. */
  | 'uncertain';

export interface Span {
  readonly start: number;
  readonly end: number;
  /** Name of what was found, such as `github-token`; becomes part of the placeholder. */
  readonly rule: string;
  readonly kind: SpanKind;
  /** Set if the text is an id instead where it's part of an address's path: that of a document. */
  readonly unlessInAddress?: true;
  /** The text that was found in this one, which is the Base64 of it or of more. */
  readonly secret?: string;
  /** Set for a part of what was found that began in an earlier text. */
  readonly continues?: true;
}

/** Finds spans of a text, in any order; they may overlap. */
export type Detector = (text: string, add: (span: Span) => void) => void;

const RANK: Readonly<Record<SpanKind, number>> = { own: 0, format: 1, context: 2, personal: 3, uncertain: 4 };

/**
 * Returns spans in order, without overlaps. Overlapping spans become one, with the rule of the most certain one. Uncertain
 * spans that overlap certain ones are left out.
 */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const secrets = unite(spans.filter(({ kind }) => kind !== 'uncertain' && kind !== 'personal'));
  const personal = spans.filter((span) => span.kind === 'personal' && !beginsInSecret(span, secrets));
  const certain = personal.length === 0 ? secrets : unite([...secrets, ...personal]);
  const rest = unite(spans.filter(({ kind }) => kind === 'uncertain'));
  if (rest.length === 0) return certain;
  let next = 0;
  const free = rest.filter(({ start, end }) => {
    while (next < certain.length && (certain[next]?.end ?? 0) <= start) next++;
    const after = certain[next];
    return !after || after.start >= end;
  });
  return [...certain, ...free].sort((a, b) => a.start - b.start);
}

/** True for a password and a host, as in `://user:password@host.io`, which together look like an e-mail address. */
function beginsInSecret({ rule, start, end }: Span, secrets: readonly Span[]): boolean {
  if (rule !== 'email') return false;
  let low = 0;
  for (let high = secrets.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((secrets[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const secret = secrets[low];
  return secret !== undefined && secret.start <= start && secret.end < end;
}

function unite(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const [surest, other] = RANK[span.kind] < RANK[last.kind] ? [span, last] : [last, span];
    const secret = secretOf(last, span);
    const continues = last.continues && span.continues;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      rule: surest.rule,
      kind: surest.kind,
      ...defined({ secret, continues, unlessInAddress: other.unlessInAddress && surest.unlessInAddress }),
    };
  }
  return merged;
}

/** Returns the secret of two overlapping spans, if one of them is all of both. @param last the one that begins first, or is longer */
function secretOf(last: Span, span: Span): string | undefined {
  if (span.end > last.end) return undefined;
  return last.secret ?? (span.start === last.start && span.end === last.end ? span.secret : undefined);
}
