import { textOf, type Entry } from './entry';

/** The text of an entry as one would copy it, or `''`: what was said, run or summed up, without what stands around it. */
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
        default:
          return textOf(message.content);
      }
    }
    case 'custom_message':
      return textOf(entry.content);
    case 'compaction':
    case 'branch_summary':
      return entry.summary;
    default:
      return '';
  }
}
