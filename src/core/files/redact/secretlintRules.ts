/**
 * The rules of secretlint (https://github.com/secretlint/secretlint) as a detector. They run here without its core, which looks
 * for comments that switch rules off: anyone may have written one into a session.
 */
import type { Detector } from '../../format/redact/detectors/span';
import { isExample } from '../../format/redact/detectors/exampleSecrets';

/** The part of secretlint's own types that rules use. */
interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(): (messageId: string, data?: Readonly<Record<string, unknown>>) => RuleMessage;
  report(report: { readonly message: RuleMessage; readonly range: readonly [number, number] }): void;
  ignore(): void;
}
interface RuleMessage {
  readonly id: string;
  readonly values: readonly unknown[];
}
interface Rule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: object): unknown };
}

/**
 * Rules that aren't used: the rule for comments, and rules that report whole files and addresses instead of the secret in
 * them, which our own rules find.
 */
const UNUSED = new Set(
  ['filter-comments', 'gcp', 'basicauth', 'database-connection-string'].map((name) => `@secretlint/secretlint-rule-${name}`),
);
/** Messages of rules whose text isn't a secret. */
const UNUSED_MESSAGES = new Set(['AWSAccountID']);

/** UTF-16 units after the start of a reported range in which the secret itself is looked for. */
const REACH = 400;

let loading: Promise<Detector> | undefined;

/** Loads the rules, once unless that fails. They are a separate file, so that nothing loads them before they're needed. */
export function secretlintDetector(): Promise<Detector> {
  return (loading ??= import('@secretlint/secretlint-rule-preset-recommend').then(
    // `Rule` has the members that are used here; the library's own types need its whole context.
    ({ rules }) => detectorOf(rules as unknown as Rule[]),
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  ));
}

function detectorOf(rules: readonly Rule[]): Detector {
  let text = '';
  let add: Parameters<Detector>[1] | undefined;
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator:
      () =>
      (id, data = {}) => ({ id, values: Object.values(data) }),
    report: ({ message, range: [start, end] }) => {
      if (UNUSED_MESSAGES.has(message.id)) return;
      // Some ranges begin before the secret and end as much too early.
      const value = message.values.find(
        (one): one is string => typeof one === 'string' && text.slice(start, end + REACH).includes(one) && one.length >= 8,
      );
      const from = value === undefined ? start : text.indexOf(value, start);
      const to = value === undefined ? end : from + value.length;
      if (!isExample(text.slice(from, to))) add?.({ start: from, end: to, rule: ruleName(message.id), kind: 'format' });
    },
    ignore: () => undefined,
  };
  const handlers = rules.filter(({ meta }) => !UNUSED.has(meta.id)).map((rule) => rule.create(context, {}));
  return (content, found) => {
    text = content;
    add = found;
    const source = { content, filePath: '', ext: '', contentType: 'text' };
    for (const handler of handlers) handler.file?.(source);
    add = undefined;
    text = '';
  };
}

/** Turns `GITHUB_TOKEN` and `AWSSecretAccessKey` into `github-token` and `aws-secret-access-key`. */
const ruleName = (id: string): string =>
  id
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
