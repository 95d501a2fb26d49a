/** Finds data of the person who exports: their home folder, their name, their machine, and e-mail addresses. */
import type { Detector } from './span';

/** Kinds of personal data, each of which a setting can leave in. */
export const PERSONAL_KINDS = ['home', 'user', 'host', 'email'] as const;
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
  'root user users admin administrator guest home test tester dev developer app data web www git build builder ci runner node default work worker me pi agent code coder codespace vscode ubuntu debian fedora alpine arch centos ec2-user azureuser docker jenkins vagrant server client local localhost public system service daemon nobody linux macos windows mac computer desktop laptop host main master base'.split(
    ' ',
  ),
);
const MIN_NAME = 3;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
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
const isTelling = (name: string): boolean => name.length >= MIN_NAME && !COMMON.has(name.toLowerCase());
const wordForm = (name: string): string => `(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`;

/** The parts before and after the sign of an address. They are bounded, so that a search takes linear time. */
const BEFORE_SIGN = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}$/;
const AFTER_SIGN = /(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9_-]|\.[A-Za-z])/y;
const MAX_BEFORE = 66;
/** Domains without anyone's mail, and what looks like a domain behind the sign. */
const NO_MAIL =
  /(?:@|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|png|jpe?g|gif|svg|webp|[cm]?[jt]sx?|json|ya?ml|md|py|rs|go|css|html?|sh|toml|lock)$|^(?:git|noreply|no-reply|hg|svn)@/i;

/** Returns the detector for the kinds that are on. */
export function personalData(person: Person, kinds: ReadonlySet<PersonalKind>): Detector {
  /** `word`: what a text must have, in lower case, for a form to match. */
  const forms: { readonly rule: PersonalKind; readonly word: string; readonly form: RegExp }[] = [];
  const add = (rule: PersonalKind, word: string, parts: readonly string[]): void => {
    if (kinds.has(rule) && parts.length > 0) forms.push({ rule, word: word.toLowerCase(), form: new RegExp(parts.join('|'), 'gi') });
  };
  const longestFirst = [...new Set(person.homes)].sort((a, b) => b.length - a.length);
  for (const home of longestFirst) add('home', home.split(/[\\/]+/).findLast((part) => part !== '') ?? '', homeForms(home));
  for (const host of new Set(person.hosts)) add('host', host, isTelling(host) ? [wordForm(host)] : []);
  for (const user of new Set(person.users)) add('user', user, user === '' ? [] : [isTelling(user) ? wordForm(user) : userFolderForm(user)]);
  const hasEmails = kinds.has('email');
  return (text, found) => {
    const lower = text.toLowerCase();
    for (const { rule, word, form } of forms) {
      if (!lower.includes(word)) continue;
      for (const match of text.matchAll(form)) found({ start: match.index, end: match.index + match[0].length, rule, kind: 'personal' });
    }
    if (hasEmails) findEmails(text, found);
  };
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

/** Returns the home folder and the name in a path, if it's in someone's. */
export function homeOfPath(path: string): { readonly home: string; readonly user: string } | undefined {
  const [home, user] = HOME_OF_PATH.exec(path) ?? [];
  return home === undefined || user === undefined ? undefined : { home, user };
}
