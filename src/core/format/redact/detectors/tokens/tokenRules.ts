/** Finds tokens by their form, also those of secretlint's rules in a wider one; hashes of passwords, and addresses with a secret. */
import { isExample, isFiller } from '../exampleSecrets';
import type { Detector } from '../span';
import type { TokenForm } from './tokenForm';
import { TOKEN_FORMS } from './tokenForms';

/** No token's character precedes, unless it ends an escape: a line break, a Unicode or percent escape, or a color of a terminal. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=(?<![A-Za-z0-9_-])_)|(?<=\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{1,16}m))`;

/** Forms in one expression, each in a group of its own, so that a text is read once. */
const searchFor = (forms: readonly TokenForm[]): { readonly forms: readonly TokenForm[]; readonly expression: RegExp } => ({
  forms,
  expression: new RegExp(
    `${START}(?:${forms.map(({ form }) => `(${form.replaceAll(/\((?!\?)/g, '(?:')})`).join('|')})(?![A-Za-z0-9-]|_[A-Za-z0-9_-])`,
    'g',
  ),
});
const SEARCH = searchFor(TOKEN_FORMS.filter(({ sign }) => !sign));
const SEARCHES_BY_SIGN = TOKEN_FORMS.flatMap((form) => (form.sign ? { sign: form.sign, search: searchFor([form]) } : []));

/**
 * Hashes of passwords, from which weak passwords can be guessed: of bcrypt, the system's, Apache's, LDAP's, Argon2, Django,
 * scrypt, PostgreSQL, MySQL and Windows.
 */
const PASSWORD_HASH =
  /\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{27,128}={0,2}|\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:[156]|apr1|y)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,24}\$(?:[./A-Za-z0-9]{1,24}\$)?[./A-Za-z0-9]{22,86}|argon2(?:id|i|d)\$[^\s"'`]{20,300}|scrypt\$ln=\d[^\s"'`]{20,300})|pbkdf2_sha\d{1,3}\$\d{3,9}\$[^\s"'`]{20,300}|SCRAM-SHA-256\$\d{3,6}:[^\s"'`]{40,300}|(?<![\w*])\*[0-9A-F]{40}(?!\w)|(?<=:\d{3,6}:[a-f0-9]{32}:)[a-f0-9]{32}(?=:::)/g;

const ADDRESSES: readonly { readonly name: string; readonly form: RegExp }[] = [
  { name: 'slack-webhook', form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,200})/g },
  { name: 'discord-webhook', form: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,21}\/[A-Za-z0-9_-]{40,100})/g },
  { name: 'teams-webhook', form: /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/-]{60,300})/g },
  { name: 'telegram-token', form: /api\.telegram\.org\/bot([0-9]{6,12}:[A-Za-z0-9_-]{20,64})/g },
  // https://docs.zapier.com, https://help.make.com/webhooks, https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  { name: 'webhook', form: /hooks\.zapier\.com\/hooks\/catch\/(\d{3,12}\/[A-Za-z0-9]{5,20})/g },
  { name: 'webhook', form: /hook(?:\.[a-z]{2}\d)?\.make\.com\/([a-z0-9]{24,64})/g },
  { name: 'webhook', form: /open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/([A-Za-z0-9-]{20,64})/g },
  // https://developers.mattermost.com/integrate/webhooks/incoming, https://docs.netlify.com/build/configure-builds/build-hooks
  { name: 'webhook', form: /\/hooks\/([a-z0-9]{26})(?![A-Za-z0-9])/g },
  { name: 'webhook', form: /api\.netlify\.com\/build_hooks\/([a-f0-9]{24})/g },
  // https://vercel.com/docs/deploy-hooks, https://render.com/docs/deploy-hooks
  { name: 'webhook', form: /api\.vercel\.com\/v1\/integrations\/deploy\/[A-Za-z0-9_]{1,64}\/([A-Za-z0-9]{8,64})/g },
  { name: 'webhook', form: /api\.render\.com\/deploy\/[A-Za-z0-9_-]{1,64}\?key=([A-Za-z0-9_-]{8,64})/g },
  // https://support.google.com/calendar/answer/37648: the secret address of a calendar.
  { name: 'calendar-address', form: /calendar\.google\.com\/calendar\/ical\/[^\s/"'`]{1,200}\/private-([a-f0-9]{32})/g },
  { name: 'sentry-key', form: /\/\/([a-f0-9]{32})(?=@[a-z0-9.-]{1,100}\/\d)/g },
];

function findForms(text: string, { forms, expression }: ReturnType<typeof searchFor>, add: Parameters<Detector>[1]): void {
  for (const match of text.matchAll(expression)) {
    const rule = forms[match.findIndex((part: string | undefined, index) => index > 0 && part !== undefined) - 1];
    const [token] = match;
    if (!rule || isExample(token) || isFiller(token.slice(token.search(/[-_.:]/) + 1)) || rule.accepts?.(token) === false) continue;
    add({ start: match.index, end: match.index + token.length, rule: rule.name, kind: 'format' });
  }
}

/** Finds tokens by their form. */
export const findTokens: Detector = (text, add) => {
  findForms(text, SEARCH, add);
  for (const { sign, search } of SEARCHES_BY_SIGN) if (sign.test(text)) findForms(text, search, add);
  for (const { index, 0: hash } of text.matchAll(PASSWORD_HASH))
    add({ start: index, end: index + hash.length, rule: 'password-hash', kind: 'format' });
  for (const { name, form } of ADDRESSES)
    for (const match of text.matchAll(form)) {
      const secret = match[1] ?? '';
      const start = match.index + match[0].lastIndexOf(secret);
      if (!isExample(secret) && !/^[TB]?0+\//.test(secret)) add({ start, end: start + secret.length, rule: name, kind: 'format' });
    }
};
