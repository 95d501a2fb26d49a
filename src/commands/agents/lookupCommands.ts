/** The command that shows what agents looked up. */
import * as vscode from 'vscode';
import type { CommandContract, LookupRecord } from '../../contract';
import { uiLine } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { formatBytes } from '../handler/formatBytes';
import type { ReportDocuments } from '../handler/reportDocuments';

type Answer = CommandContract['sessionTree.showLookups']['answer'];

export function lookupCommands({ agents }: CommandDeps, reports: ReportDocuments) {
  const title = vscode.l10n.t('What Agents Looked Up');
  const newestFirst = async (): Promise<LookupRecord[]> => (await agents.lookups()).reverse();
  const show: CommandHandler<Answer> = {
    title,
    runWithArguments: newestFirst,
    runInteractive: async () => {
      const lines = (await newestFirst()).map(lookupLine);
      const text = lines.length > 0 ? lines.join('\n') : vscode.l10n.t('No agent has looked up anything yet.');
      await reports.show(title, `${text}\n`);
    },
  };
  return { 'sessionTree.showLookups': show };
}

/** Returns a line on which nothing is a link, a control character or a line break. */
function lookupLine({ time, client, tool, input, bytes, isRefused }: LookupRecord): string {
  const at = new Date(time);
  const size = bytes === undefined ? '' : `  ${formatBytes(bytes)}`;
  const refused = isRefused ? `  ${vscode.l10n.t('refused')}` : '';
  const day = Number.isNaN(at.getTime()) ? '' : at.toLocaleString(vscode.env.language);
  return `${day}  ${uiLine(client) || '?'}  ${uiLine(tool)}  ${uiLine(input, 1000)}${size}${refused}`;
}
