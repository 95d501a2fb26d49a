/** A system prompt and tools, or a change of them, as Markdown: all texts are code, and their total length is bounded. */
import type { TranslateMessage } from '../../entry/problem';
import { stepCounter, type Steps } from '../../session/steps';
import { promptValueText, type PromptTool, type SystemPrompt } from '../../entry/prompts/systemPrompt';
import { codeBlock, inlineCode, inlineText } from '../../text/markdown/markdownText';

/** In UTF-16 units: longer texts lose their middle, and sections and tools beyond the total are only counted. */
const LIMITS = { text: 20_000, description: 1_000, total: 120_000 } as const;

interface PromptMarkdownOptions {
  readonly translate: TranslateMessage;
  /** Cuts the middle out of a text that is longer than `limit` UTF-16 units. */
  readonly truncate: (text: string, limit: number) => string;
  /** Names what happened to each section and tool, as in a change. */
  readonly isChange: boolean;
}

/** Returns the paragraphs of a system prompt: its text, sections, tools, and the schema of the answer. */
export function* promptMarkdown(prompt: SystemPrompt, { translate, truncate, isChange }: PromptMarkdownOptions): Steps<string[]> {
  const { text, sections, tools, outputSchema, removedSections, removedTools } = prompt;
  const paragraphs: string[] = [];
  let left: number = LIMITS.total;
  let omitted = 0;
  const isStep = stepCounter();
  const add = function* (make: () => readonly string[]): Steps<void> {
    if (isStep()) yield;
    if (left <= 0) {
      omitted++;
      return;
    }
    for (const paragraph of make()) {
      paragraphs.push(paragraph);
      left -= paragraph.length;
    }
  };
  const code = (value: string, language?: string): string => codeBlock(truncate(value, LIMITS.text), language);
  if (text !== '') yield* add(() => [code(text)]);
  for (const section of sections)
    yield* add(() => {
      const name = inlineCode(section.name);
      return [isChange ? translate('Section {name} changed to:', { name }) : translate('Section {name}:', { name }), code(section.text)];
    });
  for (const name of removedSections) yield* add(() => [translate('Section {name} was removed.', { name: inlineCode(name) })]);
  for (const tool of tools)
    yield* add(() => {
      const name = inlineCode(tool.name);
      const title = isChange ? translate('Tool {name} was added', { name }) : translate('Tool {name}', { name });
      const schema = tool.parameters === undefined ? [] : [code(promptValueText(tool.parameters), 'json')];
      return [`${title}${description(tool, truncate)}`, ...schema];
    });
  const added = new Set(removedTools.length === 0 ? [] : tools.map(({ name }) => name));
  for (const name of removedTools)
    if (!added.has(name)) yield* add(() => [translate('Tool {name} was removed.', { name: inlineCode(name) })]);
  if (outputSchema !== undefined) yield* add(() => [translate('Response schema:', {}), code(promptValueText(outputSchema), 'json')]);
  if (omitted > 0) paragraphs.push(`*${translate('{count} more sections and tools are left out here.', { count: omitted })}*`);
  return paragraphs;
}

const description = ({ description: text }: PromptTool, truncate: PromptMarkdownOptions['truncate']): string =>
  text === '' ? '' : `: ${inlineText(truncate(text, LIMITS.description))}`;
