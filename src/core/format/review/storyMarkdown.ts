/** The story of a change as Markdown for a pull request: what matters first, details below headings. */
import { inlineCode } from '../text/markdown/markdownText';
import { costText } from '../text/quantities/numberText';
import { githubText } from './githubText';

/** A session's part in a change. Its texts are those of the session, whole and without secrets. */
export interface StorySession {
  readonly title: string;
  /** The prompts that lines of the change answer, in order. */
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** The first prompts of branches that were left. */
  readonly left: readonly string[];
  /** The last run of each command that checks something. */
  readonly checks: readonly { readonly command: string; readonly failed: boolean }[];
  /** `provider/model` */
  readonly models: readonly string[];
  /** Dollars of the turns that wrote lines. */
  readonly cost: number;
}

/** A changed file. Numbers are added or changed lines. */
export interface StoryFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** Lines by the prompts that they answer: the place of the session, and the prompt's id if it's known. */
  readonly written: readonly { readonly session: number; readonly promptId: string | undefined; readonly lines: number }[];
  /** Lines that a session may have written. */
  readonly uncertain: number;
  /** Lines that no session explains. */
  readonly unexplained: number;
}

export interface Story {
  readonly sessions: readonly StorySession[];
  readonly files: readonly StoryFile[];
  /** The number of files that weren't compared. */
  readonly leftOut: number;
  /** True if files that no commit has yet, and no session wrote, aren't part of it. */
  readonly isWorkingTree: boolean;
  /** False leaves out models and cost. */
  readonly hasCost: boolean;
}

/** UTF-16 units of a title and a prompt. */
const [MAX_TITLE, MAX_PROMPT] = [120, 300];
/** Bytes of the lists: together less than 60 KB. */
const BYTES = { overview: 4_000, prompts: 22_000, files: 16_000, checks: 6_000, left: 6_000, models: 2_000 };

/** Returns Markdown without HTML, mentions and links, of at most 60 KB. */
export function storyMarkdown(story: Story): string {
  const numbers = promptNumbers(story.sessions);
  return [
    overview(story),
    section('What was asked', prompts(story.sessions, numbers)),
    section('What changed', bounded(fileLines(story.files, numbers), BYTES.files, 'files')),
    section('Tried and left', bounded(leftLines(story.sessions), BYTES.left, 'branches')),
    section('Checks', bounded(checkLines(story.sessions), BYTES.checks, 'checks')),
    section('Models and cost', story.hasCost ? costLines(story.sessions) : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const section = (title: string, lines: readonly string[]): string => (lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`);

/** Numbers prompts through all sessions, from 1. */
function promptNumbers(sessions: readonly StorySession[]): Map<string, number>[] {
  let count = 0;
  return sessions.map(({ prompts: asked }) => new Map(asked.map(({ id }) => [id, ++count])));
}

function overview({ sessions, files, leftOut, isWorkingTree }: Story): string {
  const sum = (of: (file: StoryFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const written = sum((file) => file.written.reduce((total, { lines }) => total + lines, 0));
  const [uncertain, unexplained] = [sum((file) => file.uncertain), sum((file) => file.unexplained)];
  const all = written + uncertain + unexplained;
  const sentences = [
    `${plural(sessions.length, 'session')} wrote ${written} of ${plural(all, 'added or changed line')} in ${plural(files.length, 'file')}.`,
    ...(uncertain > 0 ? [`${plural(uncertain, 'line')} may be a session’s, or not.`] : []),
    ...(unexplained > 0 ? [`No session explains ${plural(unexplained, 'line')}: they are a person’s, or a command’s.`] : []),
    ...(isWorkingTree ? ['New files that no session wrote aren’t counted.'] : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'file')} weren’t compared.`] : []),
  ];
  const lines = sessions.map(({ title, prompts: [first] }) =>
    first ? `- ${name(title)}: ${githubText(first.text, MAX_PROMPT)}` : `- ${name(title)}`,
  );
  return [sentences.join(' '), ...(lines.length === 0 ? [] : [bounded(lines, BYTES.overview, 'sessions').join('\n')])].join('\n\n');
}

const name = (title: string): string => `**${githubText(title, MAX_TITLE) || 'Session'}**`;

function prompts(sessions: readonly StorySession[], numbers: readonly ReadonlyMap<string, number>[]): string[] {
  const lines = sessions.flatMap(({ title, prompts: asked }, at) =>
    asked.length === 0
      ? []
      : [
          `${at === 0 ? '' : '\n'}${name(title)}\n`,
          ...asked.map(({ id, text }) => `${numbers[at]?.get(id) ?? 0}. ${githubText(text, MAX_PROMPT) || '(no text)'}`),
        ],
  );
  return bounded(lines, BYTES.prompts, 'lines');
}

function fileLines(files: readonly StoryFile[], numbers: readonly ReadonlyMap<string, number>[]): string[] {
  return files.map(({ path, isDeleted, written, uncertain, unexplained }) => {
    const parts = [
      ...(isDeleted ? ['deleted'] : []),
      ...written.map(({ session, promptId, lines }) => {
        const number = numbers[session]?.get(promptId ?? '');
        return number === undefined ? plural(lines, 'line') : `${plural(lines, 'line')} for prompt ${number}`;
      }),
      ...(uncertain > 0 ? [`${plural(uncertain, 'line')} uncertain`] : []),
      ...(unexplained > 0 ? [`${plural(unexplained, 'line')} no session explains`] : []),
    ];
    return `- ${inlineCode(path)}: ${parts.length === 0 ? 'lines removed' : parts.join(', ')}`;
  });
}

const leftLines = (sessions: readonly StorySession[]): string[] =>
  sessions.flatMap(({ left }) => left.map((prompt) => `- ${githubText(prompt, MAX_PROMPT) || '(no text)'} (left)`));

const checkLines = (sessions: readonly StorySession[]): string[] =>
  sessions.flatMap(({ checks }) => checks.map(({ command, failed }) => `- ${inlineCode(command)}: ${failed ? 'failed' : 'passed'}`));

function costLines(sessions: readonly StorySession[]): string[] {
  const models = [...new Set(sessions.flatMap((one) => one.models))];
  const cost = sessions.reduce((sum, one) => sum + one.cost, 0);
  return [
    ...bounded(
      models.map((model) => `- ${inlineCode(model)}`),
      BYTES.models,
      'models',
    ),
    ...(cost > 0 ? [`- ${costText(cost, 'en')} for the turns that wrote these lines`] : []),
  ];
}

/** Keeps the first lines of a list, and says how many it leaves out. */
function bounded(lines: readonly string[], maxBytes: number, noun: string): string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += utf8Length(line) + 1) > maxBytes);
  return end < 0 ? [...lines] : [...lines.slice(0, end), `- … and ${lines.length - end} more ${noun}`];
}

const encoder = new TextEncoder();
const utf8Length = (text: string): number => encoder.encode(text).length;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
