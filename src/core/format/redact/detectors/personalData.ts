/** Finds data of the person who exports: their home folder, their name, their machine, and e-mail addresses. */
import type { Detector } from './span';

/** Kinds of personal data, each of which a setting can leave in. */
export const PERSONAL_KINDS = ['home', 'user', 'host', 'email'] as const;
/** One of {@link PERSONAL_KINDS}. */
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** The known data of a person. */
export interface Person {
  /** Absolute paths of home folders, on any system. */
  readonly homes: readonly string[];
  readonly users: readonly string[];
  readonly hosts: readonly string[];
}

/** Names that say nothing about a person, and words that text is full of: they're only replaced in home folders. */
const COMMON = new Set(
  'root user users admin administrator guest home test tester dev developer app data web www git build builder ci runner node default work worker me pi agent code coder codespace vscode ubuntu debian fedora alpine arch centos ec2-user azureuser docker jenkins vagrant server client local localhost public system service daemon nobody public shared all default guest1 you me username yourname name someone profile profiles settings list new create search linuxbrew index products page pages header models views views login account accounts me jovyan gitpod opc bitnami airflow linux macos windows mac computer desktop laptop host main master base max mark will grant may don den van case bill chase art rich val dashboard overview feed about help inbox news'.split(
    ' ',
  ),
);
const MIN_NAME = 3;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const SEPARATOR = '(?:[\\\\/]{1,4}|%2[Ff]|%5[Cc])';

/** An expression for a home folder as it's written in paths, addresses, and names of folders that stand for a project. */
function homeForms(home: string): string[] {
  const parts = home
    .replace(/^[A-Za-z]:/, '')
    .split(/[\\/]+/)
    .filter((part) => part !== '')
    .map(escaped);
  if (parts.length === 0) return [];
  const end = '(?![A-Za-z0-9_])';
  const drive = '(?:[A-Za-z]:|%3[Aa])?';
  const path = `${drive}${SEPARATOR}${parts.join(SEPARATOR)}${end}(?!\\.[A-Za-z0-9])`;
  // A single part such as `/root` is a home folder only at the start of a path.
  return parts.length === 1 ? [`(?<![A-Za-z0-9_.~)\\]}/\\\\-])${path}`] : [path, `(?<=-)${parts.join('-')}${end}`];
}

/** True for a name that can be replaced wherever it's a word of its own. */
const isIdentifying = (name: string): boolean => name.length >= MIN_NAME && !COMMON.has(name.toLowerCase());
const wordForm = (name: string): string => `(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`;

/** The parts before and after the sign of an address, but not a product of matrices. They are bounded, so that a search takes linear time. */
const BEFORE_SIGN = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}$/u;
const AFTER_SIGN = /(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}_(-]|\.\p{L})/uy;
const MAX_BEFORE = 66;
/** Domains that have no mailboxes, and texts of the same form as addresses: versions, labels in code and units of a system. */
const NO_MAIL =
  /(?:@|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|png|jpe?g|gif|svg|webp|[cm]?[jt]sx?|json|ya?ml|go|css|html?|toml|lock|patch|diff|jar|tgz|service|socket|timer|target)$|^(?:git|noreply|no-reply|hg|svn|this|super|return)@|@v?\d+\.\d/i;

/** Returns the detector for the kinds that are on. */
export function personalData(person: Person, kinds: ReadonlySet<PersonalKind>): Detector {
  /** `word`: what a text must have, in lower case, for a form to match. */
  const forms: { readonly rule: PersonalKind; readonly word: string; readonly form: RegExp }[] = [];
  const add = (rule: PersonalKind, word: string, parts: readonly string[]): void => {
    if (kinds.has(rule) && parts.length > 0) forms.push({ rule, word: word.toLowerCase(), form: new RegExp(parts.join('|'), 'giu') });
  };
  const longestFirst = [...new Set(person.homes)].sort((a, b) => b.length - a.length);
  for (const home of longestFirst) add('home', home.split(/[\\/]+/).findLast((part) => part !== '') ?? '', homeForms(home));
  for (const host of new Set(person.hosts)) add('host', host, isIdentifying(host) ? [wordForm(host)] : []);
  for (const user of new Set(person.users))
    add('user', user, user === '' ? [] : [isIdentifying(user) ? wordForm(user) : userFolderForm(user)]);
  const hasEmails = kinds.has('email');
  return (text, found) => {
    const lower = text.toLowerCase();
    for (const { rule, word, form } of forms) {
      if (!lower.includes(word)) continue;
      for (const match of text.matchAll(form)) found({ start: match.index, end: match.index + match[0].length, rule, kind: 'personal' });
    }
    if (kinds.has('home')) findIn(text, OTHER_HOME, 'home', found);
    if (kinds.has('host')) findIn(text, PROMPT_HOST, 'host', found);
    if (hasEmails) findEmails(text, found);
  };
}

/** Home folders of others, which a session on another machine has, for instance. Those with names that identify no one aren't replaced. */
const OTHER_HOME =
  /(?:(?<![\w.~$)}-])|(?<=\/(?:mnt\/)?[a-z]|\/(?:var|export|private|run\/host)|file:\/\/))(?:[A-Za-z]:)?[\\/]{1,4}(?:home|Users|Documents and Settings)[\\/]{1,4}([\p{L}\p{N}][\p{L}\p{N}_.~-]{1,31}(?<![.~-])(?: [\p{Lu}][\p{L}]{1,20}(?=[\\/]))?)(?![\p{L}\p{N}_:=(-])/gu;
/** The machine in the prompt of a shell. */
const PROMPT_HOST = /(?<![\w.@+-])[a-z_][a-z0-9_.-]{0,31}@([A-Za-z][A-Za-z0-9.-]{1,62})(?=:[~/][^\s:]{0,200}[$#%](?: |$))/gmu;

const FILE_NAME = /\.(?:html?|[cm]?[jt]sx?|vue|svelte|py|rb|php|go|md|json|css)$/i;

/** Finds the matches of a form whose name in the group identifies a person or a machine. */
function findIn(text: string, form: RegExp, rule: PersonalKind, add: Parameters<Detector>[1]): void {
  for (const match of text.matchAll(form)) {
    const name = match[1] ?? '';
    if (!isIdentifying(name) || FILE_NAME.test(name)) continue;
    const end = match.index + match[0].length;
    add({ start: rule === 'home' ? match.index : end - name.length, end, rule, kind: 'personal' });
  }
}

const userFolderForm = (name: string): string => `(?<=[\\\\/](?:home|users)[\\\\/]{1,4})${escaped(name)}(?![A-Za-z0-9_])`;

const findEmails: Detector = (text, add) => {
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', sign + 1)) {
    AFTER_SIGN.lastIndex = sign + 1;
    const before = BEFORE_SIGN.exec(text.slice(Math.max(0, sign - MAX_BEFORE), sign));
    const after = before && AFTER_SIGN.exec(text);
    if (!after || NO_MAIL.test(`${before[0]}@${after[0]}`)) continue;
    add({ start: sign - before[0].length, end: sign + 1 + after[0].length, rule: 'email', kind: 'personal' });
  }
};

const HOME_OF_PATH = /^(?:[A-Za-z]:)?[\\/](?:home|Users|Documents and Settings)[\\/]([^\\/]+)/i;

/** Returns the home folder and the user name in a path, if it has one. */
export function homeOfPath(path: string): { readonly home: string; readonly user: string } | undefined {
  const [home, user] = HOME_OF_PATH.exec(path) ?? [];
  return home === undefined || user === undefined ? undefined : { home, user };
}
