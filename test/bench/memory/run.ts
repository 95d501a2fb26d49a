/** Runs the benchmark on a store, by the tools or by plain search. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Memory } from '../../../src/memory/memory';
import { answerTool, TOOL_NAMES } from '../../../src/memory/tools/tools';
import { askQuestion, type Verdict } from './judge';
import { writeStore, type Question } from './stories';

export interface Run {
  readonly sessions: number;
  readonly verdicts: readonly Verdict[];
}

/** A generated store whose index is open. */
export class Store {
  private constructor(
    private readonly memory: Memory,
    readonly sessions: number,
    readonly questions: readonly Question[],
  ) {}

  /** @param others folders of other sessions that are searched, too */
  static async open(folder: string, seed: number, others: readonly string[] = [], scale = 1): Promise<Store> {
    const { root, questions, sessions } = writeStore(join(folder, 'sessions'), seed, scale);
    const roots = [root, ...others].map((path) => ({ path, dialect: 'pi' as const, flat: false }));
    const memory = new Memory({ roots, cache: join(folder, 'cache') });
    await memory.current();
    return new Store(memory, sessions, questions);
  }

  async ask(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const name = TOOL_NAMES.find((one) => one === tool);
    if (!name) throw new Error(`There is no tool ${tool}.`);
    return (await answerTool(this.memory, name, args)).text;
  }

  close(): Promise<void> {
    return this.memory.close();
  }
}

/** Asks all questions of a generated store. */
export async function runTools(seed: number, scale = 1): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-recall-'));
  const store = await Store.open(folder, seed, [], scale);
  try {
    const verdicts: Verdict[] = [];
    for (const question of store.questions) verdicts.push(await askQuestion((tool, args) => store.ask(tool, args), question));
    return { sessions: store.sessions, verdicts };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of two answers. */
const PLAIN_BYTES = 8000;

/**
 * The same with what others have: lines of files with most of the question's words (`lines`), or the sessions in whose text all words
 * occur, as pi's own list finds them, of which a person sees the first message (`list`).
 */
export function runPlain(seed: number, how: 'lines' | 'list', scale = 1): Run {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-recall-'));
  try {
    const { root, questions, sessions } = writeStore(join(folder, 'sessions'), seed, scale);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .reverse()
      .map((name) => readFileSync(join(root, name), 'utf8'));
    const verdicts = questions.map((question) => plainVerdict(files, question, how));
    return { sessions, verdicts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plainVerdict(files: readonly string[], question: Question, how: 'lines' | 'list'): Verdict {
  const words = question.text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const fits = (text: string): number => words.filter((word) => text.includes(word)).length;
  let found: string[];
  if (how === 'list') found = files.filter((text) => fits(text.toLowerCase()) === words.length).map((text) => text.slice(0, 2000));
  else
    found = files
      .flatMap((text) => text.split('\n'))
      .map((line) => ({ line, count: fits(line.toLowerCase()) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .map(({ line }) => line);
  const text = found.join('\n').slice(0, PLAIN_BYTES);
  const has = question.fact !== undefined && text.includes(question.fact);
  // Lines of a file don't say which branch they are on.
  const isDead = has && question.state === 'left';
  const isInvented = question.fact === undefined && found.length > 0;
  return {
    question,
    isRight: question.fact === undefined ? !isInvented : has && !isDead,
    calls: 1,
    tokens: text.length / 4,
    isInvented,
    isDead,
    texts: [text],
  };
}
