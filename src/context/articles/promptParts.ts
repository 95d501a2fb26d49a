/**
 * Builds the parts of a system prompt: a fold for each section and each tool. The names and sizes come from a file, so
 * both the number of folds and the length of the text that is sent with them are bounded; the rest can be unfolded, too.
 */
import { defined } from '../../core/format/values/defined';
import { promptValueText, type PromptSection, type PromptTool, type SystemPrompt } from '../../core/format/entry/prompts/systemPrompt';
import type { Steps } from '../../core/format/session/steps';
import { jsonSteps } from '../../core/format/text/jsonText';
import type { FoldPart, Part, PromptChange } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { MARKDOWN_LIMITS, OUTPUT_LIMITS, type PartCollector } from './partCollector';

/** Folds of sections, and of tools. All further ones share one fold. */
const MAX_FOLDS = 200;
/** UTF-16 units sent with an article. Only the beginning of further texts is sent. */
const MAX_SENT = 256_000;
const BEGINNING = { start: 400, end: 0 };
const NAME_LENGTH = 80;
const SUMMARY_LENGTH = 200;
/** Names that a summary lists. */
const MAX_NAMES = 40;

/** Builds the parts of a whole prompt: text and sections, tools, and the schema of the answer. */
export function* promptParts({ text, sections, tools, outputSchema }: SystemPrompt, collector: PartCollector): Steps<Part[]> {
  const builder = new PromptPartBuilder(collector);
  const characters = sections.reduce((sum, section) => sum + section.text.length, text.length);
  const prompt =
    text === '' && sections.length === 0
      ? []
      : [fold('prompt', nameList(sections), [...(yield* builder.text(text)), ...(yield* builder.sections(sections))], { characters })];
  const offered = tools.length === 0 ? [] : [fold('tools', nameList(tools), yield* builder.tools(tools), { count: tools.length })];
  return [...prompt, ...offered, ...(yield* builder.schema(outputSchema))];
}

/** Builds the parts of a change: its text, then the sections and tools that it sets and removes. */
export function* promptChangeParts(change: SystemPrompt, collector: PartCollector): Steps<Part[]> {
  const builder = new PromptPartBuilder(collector);
  const { text, sections, tools, outputSchema, removedSections, removedTools } = change;
  // A tool that is taken out and added in one message was redefined.
  const added = new Set(tools.map(({ name }) => name));
  const redefined = new Set(removedTools);
  return [
    ...(/\S/.test(text) ? [{ kind: 'markdown', text: yield* collector.addTextSteps(text, MARKDOWN_LIMITS) } as const] : []),
    ...(yield* builder.sections(sections, () => 'updated')),
    ...removedParts('section', removedSections),
    ...(yield* builder.tools(tools, ({ name }) => (redefined.has(name) ? 'updated' : 'added'))),
    ...removedParts(
      'tool',
      removedTools.filter((name) => !added.has(name)),
    ),
    ...(yield* builder.schema(outputSchema)),
  ];
}

class PromptPartBuilder {
  private sent = 0;

  constructor(private readonly collector: PartCollector) {}

  *text(text: string): Steps<Part[]> {
    if (!/\S/.test(text)) return [];
    const part = yield* this.collector.addTextSteps(text.trimEnd(), this.sent > MAX_SENT ? BEGINNING : OUTPUT_LIMITS);
    this.sent += part.text.length + (part.tail?.length ?? 0);
    return [{ kind: 'output', text: part }];
  }

  *sections(sections: readonly PromptSection[], changeOf?: (section: PromptSection) => PromptChange): Steps<Part[]> {
    const folds: Part[] = [];
    for (const section of sections.slice(0, MAX_FOLDS)) {
      const { name, text } = section;
      folds.push(named('section', name, '', yield* this.text(text), { characters: text.length }, changeOf?.(section)));
    }
    return [...folds, ...(yield* this.rest(sections.slice(MAX_FOLDS).map(({ name, text }) => `${name}\n${text}`)))];
  }

  /** Tools of which only the name is recorded share one text. */
  *tools(tools: readonly PromptTool[], changeOf?: (tool: PromptTool) => PromptChange): Steps<Part[]> {
    const declared = tools.filter((tool) => !isNameOnly(tool));
    const folds: Part[] = [];
    for (const tool of declared.slice(0, MAX_FOLDS)) {
      const { name, description, parameters } = tool;
      const parts = [...(yield* this.text(description)), ...(yield* this.schemaText(parameters))];
      folds.push(named('tool', name, description, parts, {}, changeOf?.(tool)));
    }
    const rest = declared
      .slice(MAX_FOLDS)
      .map(({ name, description, parameters }) => `${name}\n${description}\n${promptValueText(parameters ?? '')}`);
    const names = tools.filter(isNameOnly).map(({ name }) => name);
    return [...folds, ...(yield* this.rest(rest)), ...(yield* this.text(names.join('\n')))];
  }

  *schema(outputSchema: unknown): Steps<Part[]> {
    return outputSchema === undefined ? [] : [fold('schema', '', yield* this.schemaText(outputSchema), {})];
  }

  private *schemaText(schema: unknown): Steps<Part[]> {
    if (schema === undefined) return [];
    return yield* this.text(typeof schema === 'string' ? schema : yield* jsonSteps(schema, 2));
  }

  private *rest(texts: readonly string[]): Steps<Part[]> {
    return texts.length === 0 ? [] : [fold('rest', '', yield* this.text(texts.join('\n\n')), { count: texts.length })];
  }
}

const isNameOnly = ({ description, parameters }: PromptTool): boolean => description === '' && parameters === undefined;

function removedParts(content: 'section' | 'tool', names: readonly string[]): Part[] {
  const folds = names.slice(0, MAX_FOLDS).map((name) => named(content, name, '', [], {}, 'removed'));
  const more = names.length - folds.length;
  return more > 0 ? [...folds, { ...fold('rest', '', [], { count: more }), change: 'removed' }] : folds;
}

type Size = Pick<FoldPart, 'count' | 'characters'>;

const fold = (content: FoldPart['content'], summary: string, parts: readonly Part[], size: Size): FoldPart => ({
  kind: 'fold',
  content,
  summary: oneLine(summary, SUMMARY_LENGTH),
  ...size,
  parts,
});

function named(
  content: 'section' | 'tool',
  name: string,
  summary: string,
  parts: readonly Part[],
  size: Size,
  change: PromptChange | undefined,
): FoldPart {
  return {
    ...fold(content, summary, parts, size),
    name: oneLine(name, NAME_LENGTH),
    ...defined({ change }),
  };
}

const nameList = (items: readonly { readonly name: string }[]): string =>
  items
    .slice(0, MAX_NAMES)
    .map(({ name }) => oneLine(name, NAME_LENGTH))
    .join(', ');
