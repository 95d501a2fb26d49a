// FORMAT section 4: what the model sees, and as which text.
import { of } from './row.mjs';

const plan = 'format/contextPlan';
const rules = 'format/rulesContext';

const path = [
  ...of('FORMAT 4.1, the path', 'format/session/treeTraversal', ['format/treeTraversal', plan], [
    ['goes from the root to the leaf', 'return path.reverse();', 'return path;'],
  ]),
  ...of('FORMAT 4.1, the path', 'format/context/contextPlan', [plan, rules], [
    ['an entry that is not there is refused', 'leafId !== null && !session.byId.has(leafId)', 'false'],
    ['is that of the leaf', 'leafId: string | null = session.leafId', 'leafId: string | null = session.entries.at(-1)?.id ?? null'],
  ]),
];

const settings = of('FORMAT 4.2, settings', 'format/context/contextPlan', [plan, rules], [
  ['hold over the whole path', 'defaultSettings(session, path);', "defaultSettings(session, path.slice(path.findLastIndex((head) => head.type === 'compaction') + 1));"],
  ['the thinking level is off at first', "function defaultSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {\n  let thinkingLevel = header.thinkingLevel ?? 'off';", "function defaultSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {\n  let thinkingLevel = header.thinkingLevel ?? 'medium';"],
  ['the header may say a thinking level', "function defaultSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {\n  let thinkingLevel = header.thinkingLevel ?? 'off';", "function defaultSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {\n  let thinkingLevel = 'off';"],
  ['an entry may say a thinking level', "thinkingLevel = head.thinkingLevel ?? 'off';\n    if ((head", "thinkingLevel = 'off';\n    if ((head"],
  ['the header may say a model', '? { provider: header.provider, modelId: header.modelId } : null', '? null : null'],
  ['the last model holds', 'model = head.model;\n  }', 'model ??= head.model;\n  }'],
  ['an answer says its model', " || head.role === 'assistant') && head.model) model", ') && head.model) model'],
  ['usage lines say none', "if ((head.type === 'model_change' || head.role === 'assistant') && head.model) model", 'if (head.model) model'],
  ['omp: answers infer the default only until one is chosen', ' && !chosen) models', ') models'],
  ['omp: a model for another role does not choose the default', "chosen ||= role === 'default';", 'chosen = true;'],
  ['omp: a change without a role is the default', "head.modelRole ?? 'default'", "head.modelRole ?? 'other'"],
  ['omp: roles map to models', 'models.set(role, head.model);', "models.set('default', head.model);"],
  ['omp: the header may say the default', "models.set('default', { provider: header.provider, modelId: header.modelId });", ';'],
  ['omp: rules in order, each once', 'for (const rule of head.rules ?? []) rules.add(rule);', 'for (const rule of head.rules ?? []) rules.add(`${rule}${String(rules.size)}`);'],
  ['omp: the mode', "mode = head.mode ?? 'none';", ''],
]);

const compactions = [
  ...of('FORMAT 4.3, compactions', 'format/context/contextPlan', [plan, rules], [
    ['the newest counts', "path.findLastIndex((head) => head.type === 'compaction')", "path.findIndex((head) => head.type === 'compaction')"],
    ['the summary is first', 'stepsOf([summary, ...kept, ', 'stepsOf([...kept, summary, '],
    ['entries from the first kept one are kept', 'stepsOf([summary, ...kept, ', 'stepsOf([summary, '],
    ['what follows is there', ', ...path.slice(compaction + 1)])', '])'],
    ['an unknown first kept entry keeps nothing', 'named < 0 || summary.retainedTail ?', 'summary.retainedTail ?'],
    ['a retained tail stands in', 'named < 0 || summary.retainedTail ?', 'named < 0 ?'],
    ['system messages are dropped from what is kept', "head.role !== 'system' || session.dialect === 'omp'", 'true'],
    ['but not in omp', "head.role !== 'system' || session.dialect === 'omp'", "head.role !== 'system'"],
    ['older ones contribute nothing', "!(head.type === 'compaction' && index === 0)", "!(head.type === 'compaction')"],
  ]),
  ...of('FORMAT 4.3, compactions', 'format/context/contextMessages', [plan, rules], [
    ['the system message stands before the summary', "[...(isMessage(entry.systemMessage) ? [entry.systemMessage] : []), summary, ...tail]", "[summary, ...(isMessage(entry.systemMessage) ? [entry.systemMessage] : []), ...tail]"],
    ['the tail follows the summary', 'summary, ...tail];', 'summary];'],
  ]),
];

const resets = of('FORMAT 4.4, reset boundaries', 'format/context/contextPlan', [plan, rules], [
  ['what is before is gone', 'stepsOf(path.slice(reset + 1))', 'stepsOf(path)'],
  ['the last one counts', "path.findLastIndex((head) => head.type === 'reset_boundary')", "path.findIndex((head) => head.type === 'reset_boundary')"],
  ['after a compaction it hides the summary', ' || reset > compaction)', ')'],
  ['before a compaction it bounds what is kept', 'Math.max(named, reset + 1)', 'named'],
]);

const edits = [
  ...of('FORMAT 4.5, context edits', 'format/context/contextPlan', [plan, rules], [
    ['the last one wins', 'edits.set(head.targetId, head);', 'if (!edits.has(head.targetId)) edits.set(head.targetId, head);'],
    ['null takes the target out', 'if (edit?.omits) return;', ''],
    ['a content replaces', 'edit ? { id: head.id, editId: edit.id } : { id: head.id }', '{ id: head.id }'],
  ]),
  ...of('FORMAT 4.5, context edits', 'format/context/contextMessages', [plan, rules], [
    ['the replacement is in the message', 'return content === undefined ? messages :', 'return true ? messages :'],
    ['a text is a block in answers and results', "message.role === 'assistant' || message.role === 'toolResult')", 'false)'],
  ]),
];

const messages = [
  ...of('FORMAT 4.6, entries to messages', 'format/context/contextPlan', [plan, rules], [
    ['custom messages are there', "head.type === 'custom_message' || (head", '(head'],
    ['branch summaries are there', "(head.type === 'branch_summary' && head.hasText === true)", 'false'],
    ['empty branch summaries are not', ' && head.hasText === true)', ')'],
    ['the rest contributes nothing', "return head.type === 'message' ||", "return head.type === 'custom' || head.type === 'message' ||"],
  ]),
  ...of('FORMAT 4.6, entries to messages', 'format/context/contextMessages', [plan, rules], [
    ['a custom message has the role custom', "{ role: 'custom', customType: entry", "{ role: 'user', customType: entry"],
    ['a branch summary has its role', "[{ role: 'branchSummary', summary: entry.summary, fromId: entry.fromId, timestamp }]", "[{ role: 'user', content: entry.summary, timestamp }]"],
  ]),
  ...of('FORMAT 4.7, dead turns', 'format/context/contextMessages', [plan, rules], [
    ['answers that failed go', "message.stopReason === 'error' || message", 'message'],
    ['answers that were stopped go', " || message.stopReason === 'aborted')", ')'],
    ['with the results of their calls', "if (message.role === 'toolResult' && message.toolCallId !== undefined && dead.has(message.toolCallId)) continue;", ''],
    ['calls without a result go', "!(block.type === 'toolCall' && !answered.has(block.id)) && ", ''],
    ['with nothing left the answer goes', 'if (content.length > 0) alive', 'alive'],
  ]),
  ...of('FORMAT 4.7, dead turns', 'format/context/assembleContext', [plan, rules], [
    ['are taken out in omp', "dialect === 'omp' ? withoutFailedTurns(all) : all", 'all'],
    ['and in omp alone', "dialect === 'omp' ? withoutFailedTurns(all) : all", 'withoutFailedTurns(all)'],
  ]),
];

const text = of('FORMAT 4, as text', 'format/context/llmMessages', ['format/llmMessages', rules], [
  ['a compaction', "'\\n</summary>'] as const;", "'</summary>'] as const;"],
  ['a branch summary', "'</summary>'] as const;\n\n", "'\\n</summary>'] as const;\n\n"],
  ['a summary is a user message', 'asUser(message, COMPACTION_WRAPPER[0] + message.summary + COMPACTION_WRAPPER[1])', "({ role: 'system', content: COMPACTION_WRAPPER[0] + message.summary + COMPACTION_WRAPPER[1] })"],
  ['excluded commands are dropped', 'message.excludeFromContext ? undefined :', 'false ? undefined :'],
  ['a command without output', "'(no output)'", "''"],
  ['a command that was cancelled', "if (cancelled) parts.push('(command cancelled)');", 'if (cancelled) ;'],
  ['a command that failed', 'exitCode !== 0) parts', 'exitCode > 1) parts'],
  ['output that was cut', 'if (truncated && fullOutputPath)', 'if (fullOutputPath && false)'],
  ['a custom message is a user message', 'asUser(message, message.content)', 'message as never'],
]);

const fates = of('What became of an entry', 'format/context/contextStatus', ['format/contextStatus'], [
  ['what is no message is state', "if (!isModelInput(head)) return 'state';", ''],
  ['an edited entry is told', "step.editId === undefined ? 'in' : 'edited'", "'in'"],
  ['what is before a reset is gone', "if (index < reset) return 'reset';", ''],
  ['what is before the first that was kept, a summary stands for', 'index < kept ||', 'false ||'],
  ['of what was kept, system messages go', "(plan.compaction && head.role === 'system')", 'false'],
  ['an older summary has been replaced', "head.type === 'compaction' || (plan.compaction", 'false || (plan.compaction'],
  ['omp: an answer that failed is not sent', "if (afterFailed && head.type !== 'compaction') return 'failed';", ''],
  ['omp: nor are the results of its calls', "(afterFailed && head.role === 'toolResult')", 'false'],
]);

const fill = [
  ...of('What fills a context', 'format/context/contextUsage', ['format/contextUsage'], [
    ['an image counts as pi counts it', 'IMAGE_CHARS = 4800', 'IMAGE_CHARS = 0'],
    ['a command that was kept from the model does not count', 'if (message.excludeFromContext === true) return [];', ''],
    ['a call is its name and its arguments', "length(block['name']) + ", ''],
    ['what the first answer read beyond the messages is the prompt', 'first.tokens - first.chars * plain', 'first.tokens'],
    ['what was recorded is the total', '((recorded.tokens - believed) / estimated) * plain', 'plain'],
    ['a prompt that leaves nothing is not believed', 'recorded.tokens - prompt >= estimated * MIN_MESSAGE_RATIO', 'true'],
    ['only messages up to the record set the scale', 'messages.slice(0, recorded.index + 1)', 'messages'],
    ['the parts add up to the total', 'if (largest) largest.tokens +=', 'if (largest) largest.tokens += 0 *'],
  ]),
  ...of('How a context grew', 'format/context/contextGrowth', ['format/contextGrowth'], [
    ['an answer that failed recorded nothing that holds', ' || hasFailed(head)) return 0;', ') return 0;'],
    ['a record does not outlive a compaction, an edit or a reset', 'path.slice(changed + 1)', 'path'],
    ['resets are cuts too', " || head.type === 'reset_boundary') cuts", ') cuts'],
    ['of many points heights are kept', 'kept.add(least).add(most);', 'kept.add(least);'],
    ['a branch that was compacted before its first answer does not tell the prompt', "before.some(({ type }) => type === 'compaction' || type === 'reset_boundary')", 'false'],
  ]),
  ...of('Places in files', 'format/text/fileLocation', ['format/fileLocation'], [
    ['a path of another computer is none', '/^[\\\\/]{2}/.test(path) || ', ''],
    ['an address is none', '|| /^[a-z][\\w+.-]+:/i.test(path)', ''],
  ]),
];

const shown = [
  ...of('Text that the editor shows', 'format/text/uiText', ['format/uiText'], [
    ['is no link', '/\\](?=\\()|\\$(?=\\()/g', '/\\$(?=\\()/g'],
    ['is no icon', '/\\](?=\\()|\\$(?=\\()/g', '/\\](?=\\()/g'],
    ['is cut before it is cleaned', `breakLinksAndIcons(sanitizeText(truncate(text, length)).replace(/\\s+/g, ' ').trim())`, `breakLinksAndIcons(sanitizeText(text).replace(/\\s+/g, ' ').trim())`],
  ]),
  ...of('Text that the editor shows', 'format/entry/problem', ['format/uiText'], [
    ['is no link in what a command rejects with', 'super(uiLine(formatMessage(template, uiArgs(args))), options)', 'super(formatMessage(template, args), options)'],
  ]),
];

export const context = [...shown, ...path, ...settings, ...compactions, ...resets, ...edits, ...messages, ...text, ...fates, ...fill];
