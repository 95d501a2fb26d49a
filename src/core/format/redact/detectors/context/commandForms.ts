/** Forms of commands that have a secret among their arguments. */

import { isPasswordWord } from '../secretValues';

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
    form: /\b(?:curl\b[^\n\r|;]{0,200}?\s(?:-u|--user|--proxy-user|-U)|https?\s[^\n\r|;]{0,200}?(?:-a|--auth))[ =]{0,2}(?:"[^\s:"]{1,64}:([^"\n]{4,128})"|'[^\s:']{1,64}:([^'\n]{4,128})'|["']?[^\s:"']{1,64}:([^\s"']{4,128}))/g,
  },
  {
    rule: 'password',
    words: ['mysql', 'mariadb'],
    form: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n\r|;]{0,200}?\s-p(?:"([^"\n]{4,64})"|'([^'\n]{4,64})'|([^\s"']{4,64}))/g,
  },
  {
    rule: 'password',
    words: ['| '],
    form: /\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?([^\s"'|$]{4,128})["']?\s{0,4}\|\s{0,4}(?:sudo\s[^|\n]{0,40}-S\b|[^|\n]{0,200}-(?:password|passwd|pass|token)-stdin\b|(?:sudo\s)?(?:chpasswd|passwd|kinit|cryptsetup)\b|[^|\n]{0,80}\bsecrets?\s(?:put|create|set|add|versions)\b|[^|\n]{0,80}--with-token\b|vercel\senv\sadd\b)/g,
  },
  {
    rule: 'password',
    words: ['docker', 'podman', 'mongo', 'redis-cli', 'ldap', 'smbclient', 'nuget'],
    form: /\b(?:(?:docker|podman)\slogin\b[^\n\r|;]{0,200}?\s-p|mongo(?:sh|dump|restore|export|import)?\b[^\n\r|;]{0,200}?\s-p|redis-cli\b[^\n\r|;]{0,200}?\s-a|ldap[a-z]{3,10}\b[^\n\r|;]{0,200}?\s-w|smbclient\b[^\n\r|;]{0,200}?\s-U\s{0,2}["']?[^\s%"']{1,64}%|nuget\s(?:push|setApiKey)\b[^\n\r|;]{0,200}?\s-k)\s{0,2}["']?([^\s"'$%-][^\s"']{3,127})/gi,
  },
  { rule: 'password', words: ['sshpass'], form: /\bsshpass\s{1,4}-p\s{0,4}(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"']{4,128}))/g },
  {
    rule: 'secret',
    words: ['-pass', '-token', '-secret', '-api', '-access', '-auth', '-client', '-storepass', '-keypass', '-body'],
    form: /(?:^|\s)--?(?:[a-z]{1,10}-password|password|passwd|passphrase|pass|storepass|keypass|token|secret|api-?key|access-?key|secret-?key|auth-?token|client-?secret)[ =](?:"([^"\n]{6,400})"|'([^'\n]{6,400})'|["']?([^\s"']{6,400}))/gi,
    accepts: (secret) => !secret.startsWith('-') && (/\d/.test(secret) || /[!@#$%^&*]/.test(secret)) && !/^[./~]/.test(secret),
  },
  {
    rule: 'password',
    words: ['sqlcmd', 'bcp ', 'mosquitto_', 'ipmitool', 'cqlsh', 'az ', 'unrar', 'rar '],
    // https://learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility, https://mosquitto.org/man/mosquitto_pub-1.html,
    // https://learn.microsoft.com/cli/azure/reference-index#az-login
    form: /\b(?:(?:sqlcmd|bcp|mosquitto_[prs]ub|ipmitool)\b[^\n\r|;]{0,200}?\s-[PW]\s{0,2}|(?:cqlsh|az\slogin)\b[^\n\r|;]{0,200}?\s-p\s{1,2}|(?:un)?rar\s[a-z]\s[^\n\r|;]{0,200}?-h?p)["']?([^\s"'$-][^\s"']{3,127})/g,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['net use', 'net user', 'cmdkey', 'freerdp', 'signtool', 'rdesktop'],
    // https://learn.microsoft.com/windows-server/administration/windows-commands/cmdkey
    form: /\b(?:net\suser?\s[^\s"']{1,200}(?:\s\\{2,4}[^\s"']{1,200})?\s|cmdkey\b[^\n\r|;]{0,200}?\/pass:|[a-z]{0,2}freerdp\b[^\n\r|;]{0,200}?\/p:|signtool\s[^\n\r|;]{0,200}?\s\/p\s|rdesktop\b[^\n\r|;]{0,200}?\s-p\s)["']?([^\s"'/$-][^\s"']{3,127})/gi,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: [
      'rabbitmqctl',
      'reset-admin-password',
      'wpa_passphrase',
      'wifi ',
      'snmp',
      'openssl passwd',
      'lftp',
      'vault login',
      'secretsmanager',
      'kv put',
    ],
    // https://www.rabbitmq.com/docs/man/rabbitmqctl.8, https://networkmanager.dev/docs/api/latest/nmcli.html,
    // https://docs.aws.amazon.com/cli/latest/reference/secretsmanager/create-secret.html
    form: /\b(?:rabbitmqctl\s(?:add_user|change_password)\s\S{1,64}\s|reset-admin-password\s|wpa_passphrase\s\S{1,64}\s|wifi\s[^\n\r|;]{1,100}?\spassword\s|snmp[a-z]{2,10}\b[^\n\r|;]{0,200}?\s-[AX]\s|openssl\spasswd\s(?:-\S{1,12}\s){0,3}|lftp\b[^\n\r|;]{0,200}?-u\s[^\s,]{1,64},|vault\slogin\s|secretsmanager\s[^\n\r|;]{1,200}?--secret-string\s|consul\skv\sput\s\S{0,100}(?:password|secret|token|key)\s)["']?([^\s"'{$-][^\s"']{3,400})/gi,
    accepts: hasDigit,
  },
  {
    rule: 'secret',
    words: ['securestring', 'secret set'],
    // https://docs.aws.amazon.com/cli/latest/reference/ssm/put-parameter.html, https://cli.github.com/manual/gh_secret_set
    form: /\b(?:ssm\sput-parameter\b(?=[^\n\r|;]{0,200}SecureString)[^\n\r|;]{0,200}?\s--value|(?:keyvault\s)?secret\sset\b[^\n\r|;]{0,200}?\s(?:--value|--body|-b))[ =]["']?([^\s"'$-][^\s"']{3,400})/g,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['sqlplus', 'jdbc:oracle', 'expdp', 'impdp', 'impacket', 'psexec', 'secretsdump'],
    // https://docs.oracle.com/en/database/oracle/oracle-database/23/sqpug/starting-SQL-Plus.html, https://github.com/fortra/impacket
    form: /(?:\b(?:sqlplus|expdp|impdp)\s(?:-\w{1,4}\s)?\w{1,64}\/|jdbc:oracle:\w{2,8}:\w{1,64}\/|\b(?:impacket-)?(?:psexec|wmiexec|smbexec|secretsdump)(?:\.py)?\s\S{1,64}:["']?)([^\s@"']{4,128})["']?@/g,
    accepts: hasDigit,
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
