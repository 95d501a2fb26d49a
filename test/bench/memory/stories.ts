/** A generated store of sessions, and questions about it with the facts that answer them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { session, type SessionBuilder } from '../../fixtures/build';
import { dice, type Dice } from '../../fixtures/random';
import { CHATTER, FORMS, LANGUAGES, NEVER, PARTS, REMEDIES, TROUBLES, type Wording } from './topics';

export const KINDS = [
  'left',
  'kept',
  'last fix',
  'compaction',
  'results',
  'subagent',
  'command',
  'long turn',
  'languages',
  'forms',
  'never',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  readonly kind: Kind;
  readonly text: string;
  /** A text that the answer must have; `undefined` for what never happened. */
  readonly fact?: string;
  /** The state of the branch that the fact is on. */
  readonly state?: 'active' | 'left';
  /** The prompt with which the person went on. */
  readonly replacedBy?: string;
}

export interface Store {
  readonly root: string;
  readonly questions: readonly Question[];
  readonly sessions: number;
}

interface Story {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly questions: readonly Question[];
}

const SHARE: Readonly<Record<Kind, number>> = {
  left: 20,
  kept: 20,
  'last fix': 16,
  compaction: 16,
  results: 20,
  subagent: 16,
  command: 20,
  'long turn': 16,
  languages: 20,
  forms: 10,
  never: 26,
};

/** Writes a store of about 100 sessions with 200 questions. @param scale the part of it */
export function writeStore(root: string, seed: number, scale = 1): Store {
  const random = dice(seed);
  const maker = new StoryMaker(random);
  const questions: Question[] = [];
  const written = new Set<string>();
  for (const kind of KINDS) {
    const wanted = Math.max(1, Math.round(SHARE[kind] * scale));
    for (let had = 0; had < wanted; had++) {
      const { files, questions: asked } = maker.make(kind, had);
      questions.push(...asked);
      for (const { name, text } of files) {
        const path = join(root, 'p', `${name}.jsonl`);
        mkdirSync(dirname(path), { recursive: true });
        // A session with a second story is written again.
        writeFileSync(path, text);
        written.add(name);
      }
    }
  }
  return { root, questions, sessions: written.size };
}

class StoryMaker {
  private count = 0;
  private days = 0;
  private readonly pairs = new Set<string>();
  private readonly stories: { readonly part: Wording; readonly trouble: Wording }[] = [];
  /** A session gets two stories, as on a day of work. */
  private open: SessionBuilder | undefined;

  constructor(private readonly random: Dice) {}

  make(kind: Kind, had: number): Story {
    switch (kind) {
      case 'left':
        return this.leftStory();
      case 'kept':
        return this.keptStory();
      case 'last fix':
        return this.lastFixStory();
      case 'compaction':
        return this.compactionStory();
      case 'results':
        return this.resultStory();
      case 'subagent':
        return this.subagentStory();
      case 'command':
        return this.commandStory();
      case 'long turn':
        return this.longStory();
      case 'languages':
        return this.languageStory(had);
      case 'forms':
        return this.formStory(had);
      case 'never':
        return this.neverStory(had);
    }
  }

  private leftStory(): Story {
    const { part, trouble, said } = this.topic();
    const [remedy, other, fact] = [this.random.one(REMEDIES), this.random.one(REMEDIES), this.token()];
    const onwards = `Undo that. Rather ${other} ${this.token()}`;
    const builder = this.chatter(this.begin()).user(`Look into why ${said}`).assistant(`It seems that ${part.said} has no bound.`);
    const fork = builder.last;
    builder
      .user(`Try to ${remedy} ${fact}`)
      .assistant(`Done, but ${part.said} still ${trouble.said}, so this doesn't help.`)
      .branchFrom(fork)
      .user(onwards)
      .assistant(`That works for ${part.said}.`);
    this.chatter(builder);
    const asked = this.random.one([
      `What did we try first for ${trouble.asked} in ${part.asked} and give up on?`,
      `Which attempt at ${trouble.asked} with ${part.asked} was abandoned?`,
      `${part.asked}: which idea against ${trouble.asked} didn't pan out?`,
    ]);
    return this.story(builder, [{ kind: 'left', text: asked, fact, state: 'left', replacedBy: onwards }]);
  }

  private keptStory(): Story {
    const { part, trouble, said } = this.topic();
    const [one, two] = [this.token(), this.token()];
    const [remedy, other] = [this.random.one(REMEDIES), this.random.one(REMEDIES)];
    const builder = this.chatter(this.begin()).user(`We need a plan because ${said}`).assistant('There are two ways to do it.');
    const fork = builder.last;
    builder
      .user(`First way: ${remedy} ${one}`)
      .assistant(`I did it, yet the profile of ${part.said} got worse.`)
      .branchFrom(fork)
      .user(`Second way: ${other} ${two}`)
      .assistant(`Kept, because ${part.said} no longer ${trouble.said} and the code is half as long (${two}).`);
    this.chatter(builder);
    const asked = this.random.one([
      `Which of the two ways for ${trouble.asked} in ${part.asked} was kept, and why?`,
      `Of both solutions for ${part.asked} and ${trouble.asked}, which one did we settle on?`,
    ]);
    return this.story(builder, [{ kind: 'kept', text: asked, fact: two, state: 'active' }]);
  }

  private lastFixStory(): Story {
    const { part, trouble, said } = this.topic();
    const files: { name: string; text: string }[] = [];
    let fact = '';
    for (let time = 0; time < 3; time++) {
      fact = this.token();
      this.open = undefined;
      const builder = this.chatter(this.begin())
        .user(time === 0 ? `Please repair this: ${said}` : `It is back, ${said} again`)
        .assistant(`To stop it I chose to ${this.random.one(REMEDIES)} ${fact}.`);
      files.push(this.close(this.chatter(builder)));
    }
    const asked = this.random.one([
      `What was the final remedy for ${trouble.asked} in ${part.asked}?`,
      `How did we deal with ${trouble.asked} of ${part.asked} the last time?`,
    ]);
    return { files, questions: [{ kind: 'last fix', text: asked, fact, state: 'active' }] };
  }

  private compactionStory(): Story {
    const { part, trouble, said } = this.topic();
    const fact = this.token();
    const builder = this.chatter(this.begin())
      .user(`Decide how we handle it that ${said}`)
      .assistant(`Decision: we ${this.random.one(REMEDIES)} ${fact}, because the alternatives need a migration.`);
    this.chatter(builder, 8);
    builder.compaction('The person worked on several parts and wants short answers.', builder.last);
    this.chatter(builder, 6);
    return this.story(builder, [
      { kind: 'compaction', text: `What did we decide about ${trouble.asked} with ${part.asked}?`, fact, state: 'active' },
    ]);
  }

  private resultStory(): Story {
    const { part, trouble } = this.topic();
    const fact = this.token();
    const isArgument = this.random.once(2);
    const text = `${part.said} ${trouble.said}: threshold ${fact}`;
    const builder = this.chatter(this.begin()).user('Have a look at the logs please');
    if (isArgument) builder.tool('write', { path: `notes/${fact}.md`, content: text }, 'written');
    else builder.tool('bash', { command: 'tail -n 40 service.log' }, `10:02 info start\n10:03 warn ${text}\n10:04 info end`);
    builder.assistant('I have seen it.');
    this.chatter(builder);
    return this.story(builder, [
      { kind: 'results', text: `What threshold did the logs or notes have for ${trouble.asked} in ${part.asked}?`, fact, state: 'active' },
    ]);
  }

  private subagentStory(): Story {
    const { part, trouble, said } = this.topic();
    const fact = this.token();
    const parent = this.chatter(this.begin()).user('Let somebody investigate the open problem').assistant('A helper reports soon.');
    const file = this.close(this.chatter(parent));
    const child = session({ id: this.id(), timestamp: this.time() })
      .user(`Investigate why ${said}`, { timestamp: this.time() })
      .assistant(`Root cause: ${part.said} has a race in the allocator, seen at ${fact}.`, { timestamp: this.time() });
    return {
      files: [file, { name: `${file.name}/helper${String(this.count)}`, text: child.text() }],
      questions: [{ kind: 'subagent', text: `What root cause was found for ${trouble.asked} in ${part.asked}?`, fact, state: 'active' }],
    };
  }

  private commandStory(): Story {
    const { part, trouble, said } = this.topic();
    const fact = this.token();
    const builder = this.chatter(this.begin())
      .user(`The build complains that ${said}`)
      .tool('bash', { command: 'make all' }, `error: ${part.said} ${trouble.said}`, { message: { isError: true } })
      .tool('bash', { command: `make clean && ./scripts/rebuild --cache-key ${fact}` }, 'ok')
      .assistant('The build passes now.');
    this.chatter(builder);
    return this.story(builder, [
      { kind: 'command', text: `Which command fixed the build when ${part.asked} had ${trouble.asked}?`, fact, state: 'active' },
    ]);
  }

  private longStory(): Story {
    const { part, trouble } = this.topic();
    const fact = this.token();
    const builder = this.begin().user('Work through the whole backlog on your own');
    for (let step = 0; step < 80; step++) {
      if (step === 37) builder.assistant(`Next item: ${part.said} ${trouble.said}. I ${this.random.one(REMEDIES)} ${fact}.`);
      builder.tool('read', { path: `src/module${String(step)}.ts` }, `${this.random.one(CHATTER)} ${this.token()}`);
    }
    builder.assistant('The backlog is done.');
    return this.story(builder, [
      { kind: 'long turn', text: `What was done in the backlog about ${trouble.asked} of ${part.asked}?`, fact, state: 'active' },
    ]);
  }

  private languageStory(had: number): Story {
    const language = LANGUAGES[had % LANGUAGES.length];
    if (!language) throw new Error('There are no languages.');
    const fact = this.token();
    const builder = this.chatter(this.begin()).user(language.prompt).assistant(language.answer.replace('%', fact));
    return this.story(this.chatter(builder), [{ kind: 'languages', text: language.asked, fact, state: 'active' }]);
  }

  private formStory(had: number): Story {
    const form = FORMS[had % FORMS.length];
    if (!form) throw new Error('There are no forms.');
    const fact = this.token();
    const builder = this.chatter(this.begin()).user(form.said).assistant(`I corrected it in revision ${fact}.`);
    return this.story(this.chatter(builder), [{ kind: 'forms', text: form.asked, fact, state: 'active' }]);
  }

  /** Something that nobody knows here, for a part that is known; or a part and a trouble that are only known apart. */
  private neverStory(had: number): Story {
    const { part } = this.random.one(this.stories);
    const never = NEVER[had % NEVER.length];
    if (had % 2 === 0 && never)
      return {
        files: [],
        questions: [
          {
            kind: 'never',
            text: this.random.one([
              `Did we ever use ${never.asked} for ${part.asked}?`,
              `How did we introduce ${never.asked}?`,
              `Why were ${never.asked} dropped from ${part.asked}?`,
            ]),
          },
        ],
      };
    for (;;) {
      const trouble = this.random.one(TROUBLES);
      if (this.pairs.has(`${part.said} ${trouble.said}`)) continue;
      return { files: [], questions: [{ kind: 'never', text: `How did we fix ${trouble.asked} in ${part.asked}?` }] };
    }
  }

  /** A part with a trouble, which no other story has together. */
  private topic(): { readonly part: Wording; readonly trouble: Wording; readonly said: string } {
    for (;;) {
      const [part, trouble] = [this.random.one(PARTS), this.random.one(TROUBLES)];
      const said = `${part.said} ${trouble.said}`;
      if (this.pairs.has(said)) continue;
      this.pairs.add(said);
      this.stories.push({ part, trouble });
      return { part, trouble, said };
    }
  }

  private token(): string {
    return `${this.random.one(['k', 'q', 'v', 'x', 'z'])}${String(1000 + this.random.below(9000))}${this.random.one(['b', 'd', 'f', 'g', 'h'])}${String(this.count++)}`;
  }

  private id(): string {
    return `${(0x01a10000 + ++this.count).toString(16).padStart(8, '0')}-0000-7000-8000-${String(this.count).padStart(12, '0')}`;
  }

  private time(): string {
    return new Date(Date.parse('2026-01-02T10:00:00.000Z') + this.days * 86_400_000).toISOString();
  }

  private begin(): SessionBuilder {
    const { open } = this;
    if (open) {
      this.open = undefined;
      return open;
    }
    this.days++;
    this.open = session({ id: this.id(), timestamp: this.time(), cwd: `/work/project${String(this.random.below(6))}` });
    return this.open;
  }

  private chatter(builder: SessionBuilder, turns = 1 + this.random.below(4)): SessionBuilder {
    for (let turn = 0; turn < turns; turn++) builder.user(this.random.one(CHATTER)).assistant(`${this.random.one(CHATTER)}.`);
    return builder;
  }

  private close(builder: SessionBuilder): { readonly name: string; readonly text: string } {
    // The builder's times are of one day.
    const text = builder.text().replaceAll('"timestamp":"2026-01-02T', `"timestamp":"${this.time().slice(0, 11)}`);
    return { name: `s${String(this.days)}`, text };
  }

  private story(builder: SessionBuilder, questions: readonly Question[]): Story {
    return { files: [this.close(builder)], questions };
  }
}
