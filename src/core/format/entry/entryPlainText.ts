import { textOf } from './message';
import type { Entry } from './entry';
import { parseSessionInit, parseSystemMessage, promptPlainText } from './prompts/systemPrompt';

/**
 * Returns the text of an entry for copying: its message, command or summary, without decoration; empty if it has none.
 */
export function entryPlainText(entry: Entry): string {
  switch (entry.type) {
    case 'message': {
      const { message } = entry;
      switch (message.role) {
        case 'bashExecution':
        case 'pythonExecution':
          return message.command ?? message.code ?? '';
        case 'branchSummary':
        case 'compactionSummary':
          return message.summary;
        case 'assistant':
          return textOf(message.content) || (message.errorMessage ?? '');
        case 'system':
          return promptPlainText(parseSystemMessage(message));
        default:
          return textOf(message.content);
      }
    }
    case 'session_init':
      return promptPlainText(parseSessionInit(entry));
    case 'custom_message':
      return textOf(entry.content);
    case 'compaction':
    case 'branch_summary':
      return entry.summary;
    default:
      return '';
  }
}
