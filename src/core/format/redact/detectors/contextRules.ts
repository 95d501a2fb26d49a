/** Finds secrets by what is written around them: assignments, headers, addresses, arguments of commands. */
import { findAssignments } from './assignments';
import { isExample } from './exampleSecrets';
import { credentialsIn } from './plainSecret';
import { isPasswordWord } from './secretValues';
import type { Detector } from './span';

/** The scheme of a signed request, and the name of a member in code. */
const SCHEME = /^(?:AWS4-HMAC-SHA256|Negotiate|Digest)/i;
const MEMBER = /^[A-Za-z_$]\w{0,40}(?:\??\.[A-Za-z_$]\w{0,40}){1,5}$/;

/** Forms with the secret in group 1. `words`: one of them must be in the text, in lower case. */
const FORMS: readonly {
  readonly rule: string;
  readonly words: readonly string[];
  readonly form: RegExp;
  readonly accepts?: (secret: string) => boolean;
}[] = [
  {
    rule: 'authorization',
    words: ['authorization', 'auth-token', 'access-token', 'private-token', 'api-key', 'subscription-key'],
    form: /\b(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|api-key|x-goog-api-key|ocp-apim-subscription-key)\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?:(?:bearer|basic|token|apikey|bot|digest)\s{1,4})?([^\s"'`\\,;<>(){}[\]]{7,4000}(?<![.:?]))/gi,
    accepts: (secret) => (/\d/.test(secret) || secret.length >= 24) && !SCHEME.test(secret) && !MEMBER.test(secret),
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
  { rule: 'password', words: ['curl'], form: /\bcurl\b[^\n\r|;]{0,200}?\s(?:-u|--user)[ =]{0,2}["']?[^\s:"']{1,64}:([^\s"']{4,128})/g },
  {
    rule: 'password',
    words: ['mysql', 'mariadb'],
    form: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n\r|;]{0,200}?\s-p([^\s"']{4,64})/g,
  },
  {
    rule: 'password',
    words: ['| '],
    form: /\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?([^\s"'|$]{4,128})["']?\s{0,4}\|\s{0,4}(?:sudo\s[^|\n]{0,40}-S\b|[^|\n]{0,200}-(?:password|passwd|pass|token)-stdin\b|(?:chpasswd|passwd)\b)/g,
  },
  {
    rule: 'password',
    words: ['docker', 'podman', 'mongo', 'redis-cli', 'ldap', 'smbclient', 'nuget'],
    form: /\b(?:(?:docker|podman)\slogin\b[^\n\r|;]{0,200}?\s-p|mongo(?:sh|dump|restore|export|import)?\b[^\n\r|;]{0,200}?\s-p|redis-cli\b[^\n\r|;]{0,200}?\s-a|ldap[a-z]{3,10}\b[^\n\r|;]{0,200}?\s-w|smbclient\b[^\n\r|;]{0,200}?\s-U\s{0,2}["']?[^\s%"']{1,64}%|nuget\s(?:push|setApiKey)\b[^\n\r|;]{0,200}?\s-k)\s{0,2}["']?([^\s"'$%-][^\s"']{3,127})/gi,
  },
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
    rule: 'secret',
    words: ['--session'],
    // https://bitwarden.com/help/cli/#using-a-session-key
    form: /\bbw\s[^\n\r|;]{1,200}?--session[ =]["']?([^\s"']{16,200})/g,
    accepts: (secret) => /\d/.test(secret),
  },
  {
    rule: 'recovery-phrase',
    words: ['phrase', 'mnemonic'],
    form: /\b(?:(?:seed|recovery|secret|backup|mnemonic)[ _-]?phrase|mnemonic|passphrase)["']?\s{0,4}[:=]\s{0,4}["']?((?:[a-z]{3,10} ){3,23}[a-z]{3,10})(?![A-Za-z ]|[.,]\s[a-z])/gi,
    accepts: (secret) => !/\b(?:the|this|is|are|to|for|of|and|your|with|must|be|in|not)\b/.test(secret),
  },
  { rule: 'password', words: ['sshpass'], form: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"']{4,128})/g },
  { rule: 'password', words: ['login', 'machine'], form: /\b(?:login|machine)\s{1,4}\S{1,253}\s{1,40}password\s{1,4}(\S{4,128})/g },
  {
    rule: 'secret',
    words: ['-pass', '-token', '-secret', '-api', '-access', '-auth', '-client'],
    form: /(?:^|\s)--?(?:password|passwd|pass|token|secret|api-?key|access-?key|secret-?key|auth-?token|client-?secret)[ =]["']?([^\s"']{6,400})/gi,
    accepts: (secret) => !secret.startsWith('-') && (/\d/.test(secret) || /[!@#$%^&*]/.test(secret)) && !/^[./~]/.test(secret),
  },
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

/** Finds secrets by their surroundings. */
export const findInContext: Detector = (text, add) => {
  findAssignments(text, add);
  const lower = text.toLowerCase();
  for (const { rule, words, form, accepts } of FORMS) {
    if (!words.some((word) => lower.includes(word))) continue;
    for (const match of text.matchAll(form)) {
      const secret = match[1] ?? '';
      if (isExample(secret) || accepts?.(secret) === false) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      add({ start, end: start + secret.length, rule, kind: 'context' });
    }
  }
};
