/** Forms of settings and code that have a secret where no sign of an assignment stands between it and its name. */
import type { ContextForm } from './commandForms';
import { isMadeOfWords, isPasswordWord } from '../secretValues';

const hasDigit = (secret: string): boolean => /\d/.test(secret);
const isRandom = (secret: string): boolean => hasDigit(secret) && /[A-Za-z]/.test(secret) && !isMadeOfWords(secret);
/** The end of a secret's name, as the source of an expression. */
const NAME = String.raw`(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|secret[_-]?key|access[_-]?key|private[_-]?key|_KEY)`;

export const SETTING_FORMS: readonly ContextForm[] = [
  {
    rule: 'secret',
    words: ['value'],
    // https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container
    form: new RegExp(
      String.raw`\bname["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,60}${NAME}["']?,?\s{1,20}["']?value["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',;{}$][^\s"']{5,400})`,
      'gi',
    ),
    accepts: isRandom,
  },
  {
    rule: 'secret',
    words: ['variable'],
    // https://developer.hashicorp.com/terraform/language/values/variables
    form: new RegExp(String.raw`\bvariable\s"[\w-]{0,60}${NAME}"\s{0,4}\{[^{}]{0,300}?\bdefault\s{0,8}=\s{0,8}"([^"\n$]{4,400})"`, 'gi'),
    accepts: (secret) => !isPasswordWord(secret) && hasDigit(secret),
  },
  {
    rule: 'secret',
    words: ['kind'],
    // https://kubernetes.io/docs/concepts/configuration/secret: values in Base64 under any name.
    form: /\bkind["']?:[ \t]{0,4}["']?Secret\b[^]{0,400}?\bdata:\s*\n[ \t]{1,8}[\w.-]{1,100}:[ \t]{1,4}["']?([A-Za-z0-9+/]{4,8000}={0,2})["']?[ \t]*$/gm,
  },
  {
    rule: 'secret',
    words: ['#define'],
    form: new RegExp(String.raw`#define[ \t]{1,8}\w{0,60}${NAME}\w{0,10}[ \t]{1,20}"([^"\n]{4,400})"`, 'gi'),
    accepts: (secret) => !isPasswordWord(secret) && hasDigit(secret),
  },
  {
    rule: 'secret',
    words: ['[[', '%q', 'q{', 'q('],
    // Texts in the quotes of Lua, Perl and Ruby.
    form: new RegExp(String.raw`${NAME}\s{0,8}(?:=>|[=:])\s{0,8}(?:\[\[|%?[qQ][{(\[])([^\]})\s]{4,400})[\]})]`, 'gi'),
    accepts: (secret) => !isPasswordWord(secret) && hasDigit(secret),
  },
  {
    rule: 'secret',
    words: ['<string>'],
    // https://developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/CFPropertyLists
    form: new RegExp(String.raw`<key>[\w. -]{0,60}${NAME}</key>\s{0,40}<string>([^<>\s]{6,400})</string>`, 'gi'),
    accepts: isRandom,
  },
  {
    rule: 'secret',
    words: ['-oauth', '-token', 'npmauthident'],
    // https://getcomposer.org/doc/articles/authentication-for-private-packages.md, https://yarnpkg.com/configuration/yarnrc
    form: /(?:"(?:github|gitlab|bitbucket)-(?:oauth|token)\\{0,7}"\s{0,4}:\s{0,4}\{(?:\s|\\{1,4}[nrt]){0,20}\\{0,7}"[^"\n\\]{1,100}\\{0,7}"\s{0,4}:\s{0,4}\\{0,7}"|npmAuthIdent["']?:\s{0,4}["']?[^\s:"']{1,64}:)([^\s"'\\]{4,255})/gi,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['pass'],
    // The settings of many programs, such as rclone.
    form: /^[ \t]{0,20}["']?pass["']?[ \t]{0,8}[=:][ \t]{0,8}["']?([^\s"',;(){}[\]]{6,200})["']?[ \t]*$/gim,
    accepts: isRandom,
  },
  {
    rule: 'password',
    words: ['auth-pass', 'setuser', 'user ', 'auth-user-pass', 'psk', 'snmp-server', 'password ', 'secret '],
    // https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl, https://openvpn.net/community-docs,
    // https://docs.strongswan.org/docs/latest/config/psk.html
    form: /(?:\bauth-pass\s\S{1,64}\s|\b(?:user|setuser)\s\S{1,64}\s[^\n\r]{0,80}?>|<auth-user-pass>\s{1,4}\S{1,64}\s{1,4}|:\sPSK\s{1,4}["']?|\bsnmp-server\scommunity\s|\b(?:password|secret|key)\s[5-9]\s)([^\s"'<>]{4,200})/gi,
    accepts: hasDigit,
  },
  {
    rule: 'password',
    words: ['trojan://', 'hysteria', 'tuic://', 'vless://', 'vmess://'],
    // https://trojan-gfw.github.io/trojan, https://v2.hysteria.network/docs/developers/URI-Scheme
    form: /\b(?:trojan|hysteria2?|hy2|tuic|vless):\/\/([^\s@/?#"'`<>]{6,200})@/gi,
    accepts: hasDigit,
  },
  {
    rule: 'cookie',
    words: ['session=', 'sessionid=', 'sid='],
    // https://docs.gitlab.com: the name of its session's cookie; curl's `-b` sends one, too.
    form: /(?:\b_gitlab_session=|\bcurl\b[^\n\r|;]{0,200}?\s(?:-b|--cookie)\s{1,4}["']?\w{0,40}(?:session|sid)\w{0,10}=)([A-Za-z0-9_.%-]{16,400})/gi,
    accepts: hasDigit,
  },
];
