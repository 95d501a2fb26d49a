/** Finds secrets by what is written around them: assignments, headers, addresses, arguments of commands. */
import { findAssignments } from './assignments';
import { isExample } from '../exampleSecrets';
import { COMMAND_FORMS, type ContextForm } from './commandForms';
import { credentialsIn } from '../plainSecret';
import { isPasswordWord } from '../secretValues';
import { SETTING_FORMS } from './settingForms';
import type { Detector } from '../span';

/** The scheme of a signed request. */
const SCHEME = /^(?:AWS4-HMAC-SHA256|Negotiate|Digest)/i;
/** A word with a digit, such as `string2`, and the name of a member in code. */
const TYPE = /^[A-Za-z]{1,12}\d?$/;
const MEMBER = /^[A-Za-z_$]\w{0,40}(?:\??\.[A-Za-z_$]\w{0,40}){1,5}$/;

const FORMS: readonly ContextForm[] = [
  {
    rule: 'authorization',
    words: ['authorization', 'auth-token', 'access-token', 'private-token', 'api-key', 'subscription-key'],
    form: /\b(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|api-key|x-goog-api-key|ocp-apim-subscription-key)\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?:[a-z][\w-]{1,24}\s{1,4}(?=\S*\d))?([^\s"'`\\,;<>(){}[\]]{7,4000}(?<![.:?]))/gi,
    accepts: (secret) => (/\d/.test(secret) || secret.length >= 24) && !SCHEME.test(secret) && !MEMBER.test(secret) && !TYPE.test(secret),
  },
  {
    rule: 'authorization',
    words: ['digest username'],
    // https://www.rfc-editor.org/rfc/rfc7616#section-3.4: passwords can be guessed from it.
    form: /\bresponse\\{0,4}["']?\s{0,4}[=:]\s{0,4}\\{0,4}["']?([0-9a-f]{32,128})(?![0-9A-Za-z])/g,
  },
  {
    rule: 'bearer-token',
    words: ['bearer'],
    form: /\bbearer\s{1,4}([^\s"'`\\,;<>(){}[\]]{15,4000}(?<![.:?]))/gi,
    accepts: (secret) => /\d/.test(secret),
  },
  {
    rule: 'basic-auth',
    words: ['basic'],
    form: /\bbasic\s{1,4}([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/gi,
    accepts: (secret) => credentialsIn(secret) !== undefined,
  },
  {
    rule: 'cookie',
    words: ['cookie'],
    form: /\b(?:set-)?cookie\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([A-Za-z0-9_.-]{1,80}=[^\r\n"'\\]{8,4000})/gi,
  },
  {
    rule: 'password',
    words: ['://'],
    // Up to the last `@`: people don't always encode those of a password, nor its slashes. Numbers before a slash are a port.
    form: /:\/\/[^\s:@/"'`<>\\]{0,100}:(?!\d{1,5}[/?#])([^\s@"'`<>\\]{1,200}(?:@[^\s@/"'`<>\\,;()[\]{}]{0,200}){0,4})@(?=[A-Za-z0-9[_$-])/g,
    accepts: (secret) => secret.length >= 3 && !isPasswordWord(secret),
  },
  { rule: 'token', words: ['://'], form: /:\/\/([^\s:@/?#"'`<>\\]{20,255})(?::x-oauth-basic)?@/g, accepts: (secret) => /\d/.test(secret) },
  {
    rule: 'secret',
    words: ['setx', 'set ', 'setenv', 'env ', 'arg ', 'set-', 'securestring', 'add-mask'],
    form: /(?:\b(?:setx|setenv|ENV|ARG|set(?:\s-[A-Za-z]{1,4}){0,3})\s{1,4}[A-Z][A-Z\d_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PWD)\s{1,4}["']?|ConvertTo-SecureString\s(?:-String\s)?["']?|::add-mask::)([^\s"'$][^\s"']{5,400})/g,
    accepts: (secret) => !secret.startsWith('-') && /\d/.test(secret),
  },
  {
    rule: 'password',
    words: [':'],
    // https://www.postgresql.org/docs/current/libpq-pgpass.html
    form: /^[A-Za-z0-9.*_-]{1,253}:(?:\d{2,5}|\*):(?!\d{1,9}:)[^\s:/\\"'`]{1,63}:[^\s:/\\"'`]{1,63}:([^\s:][^\s]{3,199})$/gm,
    accepts: (secret) => !isPasswordWord(secret) && !secret.startsWith('/'),
  },
  {
    rule: 'recovery-phrase',
    words: ['phrase', 'mnemonic'],
    form: /\b(?:(?:seed|recovery|secret|backup|mnemonic)[ _-]?phrase|mnemonic|passphrase)["']?\s{0,4}[:=]\s{0,4}["']?((?:[a-z]{3,10} ){3,23}[a-z]{3,10})(?![A-Za-z ]|[.,]\s[a-z])/gi,
    accepts: (secret) => !/\b(?:the|this|is|are|to|for|of|and|your|with|must|be|in|not)\b/.test(secret),
  },
  { rule: 'password', words: ['login', 'machine'], form: /\b(?:login|machine)\s{1,4}\S{1,253}\s{1,40}password\s{1,4}(\S{4,128})/g },
  {
    rule: 'signature',
    words: ['sig', 'token=', 'key='],
    form: /[?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|access_token|api_?key|auth_?token|token|key)=([^\s&#"'`\\,;<>(){}[\]]{16,2000}(?<![.:?]))/gi,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    rule: 'docker-auth',
    words: ['auth'],
    form: /(?:["']auth\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["']|\b_auth\s{0,4}=\s{0,4}["']?)([A-Za-z0-9+/]{8,400}={0,2})/g,
    accepts: (secret) => credentialsIn(secret) !== undefined,
  },
  {
    rule: 'private-key',
    words: ['kty'],
    // The members of a JSON Web Key that are private.
    form: /["'](?:d|p|q|dp|dq|qi|k)\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["']([A-Za-z0-9_-]{20,1400})\\{0,4}["']/g,
  },
  {
    rule: 'secret',
    words: ['client-key-data', 'tls.key'],
    form: /\b(?:client-key-data|tls\.key)\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([A-Za-z0-9+/]{40,8000}={0,2})/g,
  },
];

const ALL_FORMS = [...FORMS, ...COMMAND_FORMS, ...SETTING_FORMS];

/** Finds secrets by their surroundings. */
export const findInContext: Detector = (text, add) => {
  findAssignments(text, add);
  const lower = text.toLowerCase();
  for (const { rule, words, form, accepts } of ALL_FORMS) {
    if (!words.some((word) => lower.includes(word))) continue;
    for (const match of text.matchAll(form)) {
      const secret = match.slice(1).find((group: string | undefined) => group !== undefined) ?? '';
      if (isExample(secret) || accepts?.(secret) === false) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      add({ start, end: start + secret.length, rule, kind: 'context' });
    }
  }
};
