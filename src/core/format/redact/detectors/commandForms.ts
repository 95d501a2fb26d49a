/** Forms of commands that have a secret among their arguments. */

import { isPasswordWord } from './secretValues';

/** A form with the secret in its only group that matches. */
export interface ContextForm {
  readonly rule: string;
  /** One of them must be in the text, in lower case. */
  readonly words: readonly string[];
  readonly form: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

const hasDigit = (secret: string): boolean => /\d/.test(secret);

export const COMMAND_FORMS: readonly ContextForm[] = [
  {
    rule: 'password',
    words: ['curl', 'http'],
    // https://httpie.io/docs/cli/authentication
    form: /\b(?:curl\b[^\n\r|;]{0,200}?\s(?:-u|--user)|https?\s[^\n\r|;]{0,200}?(?:-a|--auth))[ =]{0,2}(?:"[^\s:"]{1,64}:([^"\n]{4,128})"|'[^\s:']{1,64}:([^'\n]{4,128})'|["']?[^\s:"']{1,64}:([^\s"']{4,128}))/g,
  },
  {
    rule: 'password',
    words: ['mysql', 'mariadb'],
    form: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n\r|;]{0,200}?\s-p(?:"([^"\n]{4,64})"|'([^'\n]{4,64})'|([^\s"']{4,64}))/g,
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
  { rule: 'password', words: ['sshpass'], form: /\bsshpass\s{1,4}-p\s{0,4}(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"']{4,128}))/g },
  {
    rule: 'secret',
    words: ['-pass', '-token', '-secret', '-api', '-access', '-auth', '-client'],
    form: /(?:^|\s)--?(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key|secret-?key|auth-?token|client-?secret)[ =](?:"([^"\n]{6,400})"|'([^'\n]{6,400})'|["']?([^\s"']{6,400}))/gi,
    accepts: (secret) => !secret.startsWith('-') && (/\d/.test(secret) || /[!@#$%^&*]/.test(secret)) && !/^[./~]/.test(secret),
  },
  {
    rule: 'secret',
    words: ['--session'],
    // https://bitwarden.com/help/cli/#using-a-session-key
    form: /\bbw\s[^\n\r|;]{1,200}?--session[ =]["']?([^\s"']{16,200})/g,
    accepts: (secret) => /\d/.test(secret),
  },
  {
    rule: 'password',
    words: ['pass:'],
    // https://docs.openssl.org/master/man1/openssl-passphrase-options
    form: /\s-(?:pass|passin|passout)\s{1,4}["']?pass:([^\s"']{4,128})/g,
  },
  {
    rule: 'password',
    words: ['unzip', 'zip ', '7z', 'htpasswd'],
    form: /\b(?:(?:un)?zip\s[^\n\r|;]{0,200}?-P\s{0,2}|7z[ar]?\s[^\n\r|;]{0,200}?\s-p|htpasswd\s-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s\S{1,200}\s{1,4}\S{1,64}\s)["']?([^\s"'$-][^\s"']{3,127})/g,
    accepts: hasDigit,
  },
  {
    rule: 'secret',
    words: ['config ', 'configure '],
    // https://docs.npmjs.com/cli/commands/npm-config, https://docs.aws.amazon.com/cli/latest/reference/configure/set.html
    form: /\b(?:config|configure)\s(?:set\s)?[^\s"']{0,200}(?:token|_password|_auth|secret_access_key|password)\s{1,4}["']?([^\s"'$-][^\s"']{7,1000})/gi,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['requirepass', 'masterauth', 'auth '],
    // https://redis.io/docs/latest/operate/oss_and_stack/management/security
    form: /(?:^[ \t]{0,4}(?:requirepass|masterauth)|\bredis-cli\b[^\n\r|;]{0,200}?\sAUTH)\s{1,4}["']?([^\s"'$-][^\s"']{3,127})/gm,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['identified', 'password'],
    // https://dev.mysql.com/doc/refman/en/create-user.html, https://www.postgresql.org/docs/current/sql-createrole.html
    form: /\b(?:IDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,64}\s{1,4})?(?:BY|AS)|(?:WITH|ENCRYPTED|ROLE\s{1,4}\S{1,64}|USER\s{1,4}\S{1,64})\s{1,4}PASSWORD)\s{1,4}(?:'([^'\n]{4,128})'|"([^"\n]{4,128})")/gi,
    accepts: (secret) => !isPasswordWord(secret),
  },
];
