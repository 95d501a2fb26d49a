/**
 * Builds the parts of a system prompt: a fold for each section and each tool. The names and sizes come from a file, so
 * both the number of folds and the length of the text that is sent with them are bounded; the rest can be unfolded, too.
 */
import { defined } from '../../core/format/entry/defined';
import { promptValueText, type PromptSection, type PromptTool, type SystemPrompt } from '../../core/format/entry/systemPrompt';
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
export function promptParts({ text, sections, tools, outputSchema }: SystemPrompt, collector: PartCollector): Part[] {
  const builder = new PromptPartBuilder(collector);
  const characters = sections.reduce((sum, section) => sum + section.text.length, text.length);
  const prompt =
    text === '' && sections.length === 0
      ? []
      : [fold('prompt', nameList(sections), [...builder.text(text), ...builder.sections(sections)], { characters })];
  const offered = tools.length === 0 ? [] : [fold('tools', nameList(tools), builder.tools(tools), { count: tools.length })];
  return [...prompt, ...offered, ...builder.schema(outputSchema)];
}

/** Builds the parts of a change: its text, then the sections and tools that it sets and removes. */
export function promptChangeParts(change: SystemPrompt, collector: PartCollector): Part[] {
  const builder = new PromptPartBuilder(collector);
  const { text, sections, tools, outputSchema, removedSections, removedTools } = change;
  // A tool that is taken out and added in one message was redefined.
  const added = new Set(tools.map(({ name }) => name));
  const redefined = new Set(removedTools);
  return [
    ...(/\S/.test(text) ? [{ kind: 'markdown', text: collector.addText(text, MARKDOWN_LIMITS) } as const] : []),
    ...builder.sections(sections, () => 'updated'),
    ...removedParts('section', removedSections),
    ...builder.tools(tools, ({ name }) => (redefined.has(name) ? 'updated' : 'added')),
    ...removedParts(
      'tool',
      removedTools.filter((name) => !added.has(name)),
    ),
    ...builder.schema(outputSchema),
  ];
}

class PromptPartBuilder {
  private sent = 0;

  constructor(private readonly collector: PartCollector) {}

  text(text: string): Part[] {
    if (!/\S/.test(text)) return [];
    const part = this.collector.addText(text.trimEnd(), this.sent > MAX_SENT ? BEGINNING : OUTPUT_LIMITS);
    this.sent += part.text.length + (part.tail?.length ?? 0);
    return [{ kind: 'output', text: part }];
  }

  sections(sections: readonly PromptSection[], changeOf?: (section: PromptSection) => PromptChange): Part[] {
    const folds = sections
      .slice(0, MAX_FOLDS)
      .map((section) =>
        named('section', section.name, '', this.text(section.text), { characters: section.text.length }, changeOf?.(section)),
      );
    return [...folds, ...this.rest(sections.slice(MAX_FOLDS).map(({ name, text }) => `${name}\n${text}`))];
  }

  /** Tools of which only the name is recorded share one text. */
  tools(tools: readonly PromptTool[], changeOf?: (tool: PromptTool) => PromptChange): Part[] {
    const declared = tools.filter((tool) => !isNameOnly(tool));
    const folds = declared
      .slice(0, MAX_FOLDS)
      .map((tool) =>
        named(
          'tool',
          tool.name,
          tool.description,
          [...this.text(tool.description), ...this.schemaText(tool.parameters)],
          {},
          changeOf?.(tool),
        ),
      );
    const rest = declared
      .slice(MAX_FOLDS)
      .map(({ name, description, parameters }) => `${name}\n${description}\n${promptValueText(parameters ?? '')}`);
    const names = tools.filter(isNameOnly).map(({ name }) => name);
    return [...folds, ...this.rest(rest), ...this.text(names.join('\n'))];
  }

  schema(outputSchema: unknown): Part[] {
    return outputSchema === undefined ? [] : [fold('schema', '', this.schemaText(outputSchema), {})];
  }

  private schemaText(schema: unknown): Part[] {
    return schema === undefined ? [] : this.text(promptValueText(schema));
  }

  private rest(texts: readonly string[]): Part[] {
    return texts.length === 0 ? [] : [fold('rest', '', this.text(texts.join('\n\n')), { count: texts.length })];
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
