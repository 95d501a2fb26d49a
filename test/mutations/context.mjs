// FORMAT section 4: the content of the context, and its text.
import { of } from './row.mjs';

const plan = 'format/contextPlan';
const rules = 'format/rulesContext';

const path = [
  ...of(
    'FORMAT 4.1, the path',
    'format/session/treeTraversal',
    ['format/treeTraversal', plan],
    [['goes from the root to the leaf', 'pathPlaces', 'path.reverse()', 'path']],
  ),
  ...of(
    'FORMAT 4.1, the path',
    'format/context/contextPlan',
    [plan, rules],
    [
      ['an entry that is not there is refused', 'contextPlanSteps', 'if (leafId !== null) assertEntry(session, leafId);', ''],
      ['leads to the leaf unless an entry is named', 'contextPlan', 'session.leafId', 'session.entries.at(-1)?.id ?? null'],
    ],
  ),
];

const settings = of(
  'FORMAT 4.2, settings',
  'format/context/contextPlan',
  [plan, rules],
  [
    [
      'are read from the whole path, also before a compaction',
      'contextPlanSteps',
      'defaultSettings(session, path)',
      "defaultSettings(session, path.slice(path.findLastIndex((head) => head.type === 'compaction') + 1))",
    ],
    ['the thinking level is off at first', 'defaultSettings', "header.thinkingLevel ?? 'off'", "header.thinkingLevel ?? 'medium'"],
    ['the header may have a thinking level', 'defaultSettings', "header.thinkingLevel ?? 'off'", "'off'"],
    ['an entry may have a thinking level', 'defaultSettings', "head.thinkingLevel ?? 'off'", "'off'"],
    ['the header may have a model', 'defaultSettings', '{ provider: header.provider, modelId: header.modelId }', 'null'],
    ['the last model counts', 'defaultSettings', 'model = head.model', 'model ??= head.model'],
    [
      'an answer sets the model',
      'defaultSettings',
      "head.type === 'model_change' || head.role === 'assistant'",
      "head.type === 'model_change'",
    ],
    ['a usage line sets no model', 'defaultSettings', "(head.type === 'model_change' || head.role === 'assistant') &&", ''],
    [
      'omp: answers infer the default only until one is chosen',
      'ompSettings',
      "head.role === 'assistant' && !chosen",
      "head.role === 'assistant'",
    ],
    ['omp: a model for another role does not choose the default', 'ompSettings', "chosen ||= role === 'default'", 'chosen = true'],
    ['omp: a change without a role is the default', 'ompSettings', "head.modelRole ?? 'default'", "head.modelRole ?? 'other'"],
    ['omp: each role has its model', 'ompSettings', 'models.set(role, head.model)', "models.set('default', head.model)"],
    [
      'omp: the header may have the default model',
      'ompSettings',
      "models.set('default', { provider: header.provider, modelId: header.modelId })",
      '',
    ],
    ['omp: each rule is listed once, in order', 'ompSettings', 'rules.add(rule)', 'rules.add(`${rule}${String(rules.size)}`)'],
    ['omp: a change sets the mode', 'ompSettings', "mode = head.mode ?? 'none';", ''],
  ],
);

const compactions = [
  ...of(
    'FORMAT 4.3, compactions',
    'format/context/contextPlan',
    [plan, rules],
    [
      [
        'the newest counts',
        'contextPlanSteps',
        "path.findLastIndex((head) => head.type === 'compaction')",
        "path.findIndex((head) => head.type === 'compaction')",
      ],
      [
        'the summary is first',
        'contextPlanSteps',
        '[elementAt(places, compaction), ...kept, ...places.slice(compaction + 1)]',
        '[...kept, elementAt(places, compaction), ...places.slice(compaction + 1)]',
      ],
      [
        'entries from the first kept one are kept',
        'contextPlanSteps',
        '[elementAt(places, compaction), ...kept, ...places.slice(compaction + 1)]',
        '[elementAt(places, compaction), ...places.slice(compaction + 1)]',
      ],
      [
        'later entries are included',
        'contextPlanSteps',
        '[elementAt(places, compaction), ...kept, ...places.slice(compaction + 1)]',
        '[elementAt(places, compaction), ...kept]',
      ],
      ['an unknown first kept entry keeps nothing', 'contextPlanSteps', 'named < 0 || summary.retainedTail', 'summary.retainedTail'],
      ['a retained tail replaces the kept entries', 'contextPlanSteps', 'named < 0 || summary.retainedTail', 'named < 0'],
      [
        'system messages are dropped from what is kept',
        'contextPlanSteps',
        "elementAt(path, first + index).role !== 'system' || session.dialect === 'omp'",
        'true',
      ],
      [
        'system messages stay in omp',
        'contextPlanSteps',
        "elementAt(path, first + index).role !== 'system' || session.dialect === 'omp'",
        "elementAt(path, first + index).role !== 'system'",
      ],
      ['older ones add nothing', 'stepsOf', "head.type === 'compaction' && index === 0", "head.type === 'compaction'"],
    ],
  ),
  ...of(
    'FORMAT 4.3, compactions',
    'format/context/contextMessages',
    [plan, rules],
    [
      [
        'the system message stands before the summary',
        'unchangedMessages',
        '...(isMessage(entry.systemMessage) ? [entry.systemMessage] : []), summary',
        'summary, ...(isMessage(entry.systemMessage) ? [entry.systemMessage] : [])',
      ],
      ['the tail follows the summary', 'unchangedMessages', ', ...tail', ''],
    ],
  ),
];

const resets = of(
  'FORMAT 4.4, reset boundaries',
  'format/context/contextPlan',
  [plan, rules],
  [
    ['earlier entries are left out', 'contextPlanSteps', 'places.slice(reset + 1)', 'places'],
    [
      'the last one counts',
      'contextPlanSteps',
      "path.findLastIndex((head) => head.type === 'reset_boundary')",
      "path.findIndex((head) => head.type === 'reset_boundary')",
    ],
    ['one after a compaction hides the summary', 'contextPlanSteps', 'compaction < 0 || reset > compaction', 'compaction < 0'],
    [
      'one before a compaction hides no kept entry',
      'contextPlanSteps',
      '? compaction : named',
      '? compaction : Math.max(named, reset + 1)',
    ],
    ['one among the kept entries has no effect', 'contextPlanSteps', 'reset < first ? resetAt : {}', 'resetAt'],
  ],
);

const edits = [
  ...of(
    'FORMAT 4.5, context edits',
    'format/context/contextPlan',
    [plan, rules],
    [
      [
        'the last one wins',
        'stepsOf',
        'edits.set(head.targetId, place);',
        'if (!edits.has(head.targetId)) edits.set(head.targetId, place);',
      ],
      ['null removes the target', 'stepsOf', 'if (!heads.traitsAt(edit).omits) ', ''],
      ['a content replaces that of the target', 'stepsOf', '{ id, editId: heads.idAt(edit) }', '{ id }'],
    ],
  ),
  ...of(
    'FORMAT 4.5, context edits',
    'format/context/contextMessages',
    [plan, rules],
    [
      ['the message has the new content', 'entryMessages', 'content === undefined', 'true'],
      [
        'a text becomes a block in answers and results',
        'withContent',
        "message.role === 'assistant' || message.role === 'toolResult'",
        'false',
      ],
    ],
  ),
];

const messages = [
  ...of(
    'FORMAT 4.6, entries to messages',
    'format/context/contextPlan',
    [plan, rules],
    [
      ['custom messages are included', 'addsMessages', "head.type === 'custom_message' ||", ''],
      ['branch summaries are included', 'addsMessages', "(head.type === 'branch_summary' && head.hasText === true)", 'false'],
      [
        'empty branch summaries are left out',
        'addsMessages',
        "head.type === 'branch_summary' && head.hasText === true",
        "head.type === 'branch_summary'",
      ],
      ['other entries are left out', 'addsMessages', "head.type === 'message'", "head.type === 'custom' || head.type === 'message'"],
    ],
  ),
  ...of(
    'FORMAT 4.6, entries to messages',
    'format/context/contextMessages',
    [plan, rules],
    [
      ['a custom message has the role custom', 'unchangedMessages', "'custom'", "'user'"],
      [
        'a branch summary has the role branchSummary',
        'unchangedMessages',
        "'branchSummary', summary: entry.summary, fromId: entry.fromId",
        "'user', content: entry.summary",
      ],
    ],
  ),
  ...of(
    'FORMAT 4.7, failed turns',
    'format/context/contextMessages',
    [plan, rules],
    [
      ['answers that failed are removed', 'withoutFailedTurns', ".stopReason === 'error' || message", ''],
      ['answers that were stopped are removed', 'withoutFailedTurns', "|| message.stopReason === 'aborted'", ''],
      [
        'results of the failed answers’ calls are removed',
        'withoutFailedTurns',
        "if (message.role === 'toolResult' && message.toolCallId !== undefined && failedCalls.has(message.toolCallId)) continue;",
        '',
      ],
      ['calls without a result are removed', 'withoutCalls', "!(block.type === 'toolCall' && !answered.has(block.id)) &&", ''],
      ['an answer without remaining blocks is removed', 'withoutFailedTurns', 'if (content.length > 0)', ''],
    ],
  ),
  ...of(
    'FORMAT 4.7, failed turns',
    'format/context/assembleContext',
    [plan, rules],
    [
      ['are removed in omp', 'assembleContext', "dialect === 'omp' ? withoutFailedTurns(all) : all", 'all'],
      ['stay in other programs', 'assembleContext', "dialect === 'omp' ? withoutFailedTurns(all) : all", 'withoutFailedTurns(all)'],
    ],
  ),
];

const text = of(
  'FORMAT 4, messages as text',
  'format/context/llmMessages',
  ['format/llmMessages', rules],
  [
    ['a compaction’s summary has pi’s wrapper', 'COMPACTION_WRAPPER', "'\\n</summary>'", "'</summary>'"],
    ['a branch’s summary has pi’s wrapper', 'BRANCH_WRAPPER', "'</summary>'", "'\\n</summary>'"],
    [
      'a summary is a user message',
      'toLlmMessage',
      'asUser(message, COMPACTION_WRAPPER[0] + message.summary + COMPACTION_WRAPPER[1])',
      "({ role: 'system', content: COMPACTION_WRAPPER[0] + message.summary + COMPACTION_WRAPPER[1] })",
    ],
    ['excluded commands are dropped', 'toLlmMessage', 'message.excludeFromContext', 'false'],
    ['a command without output has a note', 'executionText', "'(no output)'", "''"],
    ['a command that was cancelled has a note', 'executionText', "parts.push('(command cancelled)')", ''],
    ['a command that failed has its exit code', 'executionText', 'exitCode !== 0', 'exitCode > 1'],
    ['an output that was cut names the full one', 'executionText', 'truncated && fullOutputPath', 'fullOutputPath && false'],
    ['a custom message is a user message', 'toLlmMessage', 'asUser(message, message.content)', 'message as never'],
  ],
);

const fates = of(
  'The status of an entry',
  'format/context/contextStatus',
  ['format/contextStatus'],
  [
    [
      'entries that the model doesn’t receive have the status “state”',
      'contextStatusSteps',
      "if (!isModelInput(head)) return 'state';",
      '',
    ],
    ['an edited entry has the status “edited”', 'contextStatusSteps', "step.editId === undefined ? 'in' : 'edited'", "'in'"],
    ['entries before a reset are left out', 'contextStatusSteps', "if (index < reset) return 'reset';", ''],
    ['a summary replaces the entries before the first kept one', 'contextStatusSteps', 'index < kept', 'false'],
    ['system messages of kept entries are left out', 'contextStatusSteps', "(plan.compaction && head.role === 'system')", 'false'],
    ['an older summary has the status of a replaced one', 'contextStatusSteps', "head.type === 'compaction'", 'false'],
    ['omp: an answer that failed is not sent', 'contextStatusSteps', "if (afterFailed && head.type !== 'compaction') return 'failed';", ''],
    ['omp: results of a failed answer’s calls aren’t sent', 'contextStatusSteps', "(afterFailed && head.role === 'toolResult')", 'false'],
  ],
);

const fill = [
  ...of(
    'Context usage',
    'format/context/contextUsage',
    ['format/contextUsage'],
    [
      ['an image counts four characters for each token', 'messageShares', 'countImage(block) * CHARS_PER_TOKEN', 'countImage(block)'],
      ['images have a scale of their own', 'contextUsage', "kind === 'image' ? imageScale : scale", 'scale'],
      ['a command that the model doesn’t see doesn’t count', 'messageShares', 'if (message.excludeFromContext === true) return [];', ''],
      ['a call’s name counts, too', 'assistantShares', "length(block['name']) +", ''],
      ['tokens of the first answer beyond the messages are the prompt', 'calibrate', 'first.tokens - first.chars * plain', 'first.tokens'],
      ['the recorded number is the total', 'calibrate', '((rest - images) / text) * plain', 'plain'],
      [
        'a prompt size that leaves too little for the messages is ignored',
        'calibrate',
        'recorded.tokens - prompt >= estimated * MIN_MESSAGE_RATIO',
        'true',
      ],
      ['only messages up to the record set the scale', 'calibrate', 'messages.slice(0, recorded.index + 1)', 'messages'],
      ['the parts add up to the total', 'roundParts', 'tokens +=', 'tokens += 0 *'],
    ],
  ),
  ...of(
    'Context growth',
    'format/context/contextGrowth',
    ['format/contextGrowth'],
    [
      [
        'the usage of an answer that failed doesn’t count',
        'recordedTokens',
        "head?.role !== 'assistant' || !head.usage || hasFailed(head)",
        "head?.role !== 'assistant' || !head.usage",
      ],
      ['a recorded usage ends at a compaction, an edit or a reset', 'lastRecordedTokens', 'path.slice(changed + 1)', 'path'],
      [
        'resets are marked like compactions',
        'contextGrowth',
        "head.type === 'compaction' || head.type === 'reset_boundary'",
        "head.type === 'compaction'",
      ],
      ['the extremes of many points are kept', 'downsample', 'kept.add(least).add(most)', 'kept.add(least)'],
      [
        'a branch that was compacted before its first answer doesn’t show the size of the prompt',
        'firstAnswer',
        "before.some(({ type }) => type === 'compaction' || type === 'reset_boundary')",
        'false',
      ],
    ],
  ),
  ...of(
    'Links to places in files',
    'format/text/fileLocation',
    ['format/fileLocation'],
    [
      ['a network path isn’t one', 'parseFileLocation', '/^[\\\\/]{2}/.test(path) ||', ''],
      ['a web address isn’t one', 'parseFileLocation', '|| /^[a-z][\\w+.-]+:/i.test(path)', ''],
    ],
  ),
];

const prompts = [
  ...of(
    'FORMAT 4, the system prompt',
    'format/context/systemMessage',
    ['format/systemPrompt'],
    [
      ['null removes a section', 'currentSystemMessage', 'section === null', 'false'],
      ['a later message can remove tools', 'currentSystemMessage', 'tools.delete(name)', 'undefined'],
      ['is read from entries of the context only', 'systemPromptEntries', 'steps.map', 'path.map'],
      ['a compaction may have it', 'mayRecordPrompt', "type === 'compaction' || ", ''],
      ['a session_init has it', 'promptRecords', 'init === undefined ? [] : [init]', '[]'],
      ['an empty one counts as none', 'replaySystemPrompt', "prompt.text === '' && !hasPromptParts(prompt)", 'false'],
      ['a tool may be given by its name alone', 'initMessage', "typeof tool === 'string' ? { name: tool } : tool", 'tool'],
      [
        'is declared by the first system message with a text',
        'declaresPrompt',
        "role === 'system' && hasText === true",
        "role === 'system'",
      ],
    ],
  ),
  ...of(
    'FORMAT 4, the system prompt in a context view',
    'format/context/systemMessage',
    ['context/systemPrompt', 'properties/contextSnapshots'],
    [
      ['is read from entries of the context only', 'systemPromptPlaces', '[...steps.keys()]', 'places'],
      ['a session_init has it', 'promptRecords', 'init === undefined ? [] : [init]', '[]'],
    ],
  ),
  ...of(
    'FORMAT 2, system messages',
    'format/entry/systemPrompt',
    ['format/systemPrompt'],
    [
      ['values that aren’t text are shown as JSON', 'promptValueText', 'jsonText(value, 2)', "''"],
      ['a tool without a name is left out', 'toolsOf', '!isObject(tool) || name === undefined', '!isObject(tool)'],
      ['a session_init may have an output schema', 'parseSessionInit', "line['outputSchema'] == null", 'true'],
    ],
  ),
];

const shown = [
  ...of(
    'Text that the editor shows',
    'format/text/uiText',
    ['format/uiText'],
    [
      ['has no links', 'breakLinksAndIcons', '/\\](?=\\()|\\$(?=\\()/g', '/\\$(?=\\()/g'],
      ['has no icons', 'breakLinksAndIcons', '/\\](?=\\()|\\$(?=\\()/g', '/\\](?=\\()/g'],
      ['is cut before it’s sanitized', 'uiLine', 'truncate(text, length)', 'text'],
    ],
  ),
  ...of(
    'Text that the editor shows',
    'format/entry/problem',
    ['format/uiText'],
    [
      [
        'has no links in a command’s error',
        'constructor',
        'uiLine(formatMessage(template, uiArgs(args)))',
        'formatMessage(template, args)',
      ],
    ],
  ),
];

export const context = [
  ...shown,
  ...prompts,
  ...path,
  ...settings,
  ...compactions,
  ...resets,
  ...edits,
  ...messages,
  ...text,
  ...fates,
  ...fill,
];
