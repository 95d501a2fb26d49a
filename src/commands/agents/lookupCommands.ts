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
      const lines = lookupLines(await newestFirst());
      const text = lines.length > 0 ? lines.join('\n') : vscode.l10n.t('No agent has looked up anything yet.');
      await reports.show(title, `${text}\n`);
    },
  };
  return { 'sessionTree.showLookups': show };
}

/** Returns lines on which nothing is a link, a control character or a line break, with equally wide columns before the arguments. */
function lookupLines(records: readonly LookupRecord[]): string[] {
  // Making a format takes hundreds of times as long as using it.
  const format = new Intl.DateTimeFormat(vscode.env.language, TIME);
  const rows = records.map(({ time, client, tool, bytes, isRefused, input }) => [
    Number.isNaN(new Date(time).getTime()) ? '' : format.format(time),
    uiLine(client) || '?',
    uiLine(tool),
    isRefused ? vscode.l10n.t('refused') : bytes === undefined ? '' : formatBytes(bytes),
    uiLine(input, 1000),
  ]);
  const widths = [0, 1, 2, 3].map((at) => rows.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0));
  return rows.map((row) => row.map((cell, at) => (at === 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  '));
}

const TIME: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
};
