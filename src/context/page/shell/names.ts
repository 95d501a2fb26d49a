/** Names in the reader's language that several parts of the page show. */
import { t } from '../../shared/localization';
import type { ArticleKind, FoldContent, PageAction, ShownStatus } from '../../shared/protocol';

const KINDS: Readonly<Record<ArticleKind, () => string>> = {
  user: () => t('User'),
  assistant: () => t('Assistant'),
  system: () => t('System'),
  prompt: () => t('System prompt and tools'),
  promptChange: () => t('System prompt and tools changed'),
  tool: () => t('Tool result'),
  run: () => t('Command'),
  custom: () => t('Custom message'),
  rewind: () => t('Rewound to a checkpoint'),
  compaction: () => t('Compaction summary'),
  branch: () => t('Branch summary'),
  other: () => t('Message'),
  row: () => t('Entry'),
};
export const kindName = (kind: ArticleKind): string => KINDS[kind]();

const STATUSES: Readonly<Record<ShownStatus, () => readonly [name: string, sentence: string]>> = {
  edited: () => [t('edited'), t('The model sees other text here: an edit replaced it.')],
  omitted: () => [t('removed'), t('The model doesn’t see this: an edit removed it.')],
  compacted: () => [t('summarized'), t('The model doesn’t see this: it was summarized.')],
  reset: () => [t('before the reset'), t('The model doesn’t see this: it’s before a reset.')],
  failed: () => [t('not sent'), t('The model doesn’t see this: the response failed or was stopped.')],
  excluded: () => [t('not sent'), t('The model doesn’t see this: it was run with !!, which keeps it out of the context.')],
};
export const statusTexts = (status: ShownStatus): readonly [name: string, sentence: string] => STATUSES[status]();

const FOLDS: Readonly<Record<FoldContent, () => string>> = {
  prompt: () => t('System prompt'),
  tools: () => t('Tools'),
  schema: () => t('Response schema'),
  section: () => t('System prompt section'),
  tool: () => t('Tool'),
  rest: () => t('More'),
  hidden: () => t('Hidden message'),
  wrapper: () => t('Added to the message'),
  error: () => t('Error details'),
  modelPrompt: () => t('Prompt as sent to the model'),
  diagnostics: () => t('Diagnostics'),
};
export const foldName = (content: FoldContent): string => FOLDS[content]();

/** The names of actions are the titles of their commands. */
const ACTIONS: Readonly<Record<PageAction, () => string>> = {
  copyText: () => t('Copy Text'),
  copyLink: () => t('Copy Link'),
  openRaw: () => t('Open Raw File'),
  openToSide: () => t('Open to the Side'),
  reveal: () => t('Reveal Session'),
  goToSubagent: () => t('Go to Subagent’s Session'),
  goToCall: () => t('Go to Starting Call'),
  contextHere: () => t('Show Context'),
  openMarkdown: () => t('Open as Markdown'),
  exportSession: () => t('Export Session…'),
  branchHere: () => t('Branch Here…'),
  label: () => t('Label…'),
  fork: () => t('Fork'),
  resume: () => t('Resume in Terminal'),
  leaf: () => t('Go to Current Leaf'),
};
export const actionName = (action: PageAction): string => ACTIONS[action]();
