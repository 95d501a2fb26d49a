/** The command that lets the agents of other programs look up sessions: shows the lines for their settings, writes them and takes them back. */
import * as vscode from 'vscode';
import { AGENT_PROGRAMS, type AgentProgram, type CommandContract } from '../../contract';
import { SessionError, shortPath } from '../../core/index';
import { localizeError } from '../../ui/localize';
import { optionalOneOf, requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import { choose, type Choice } from '../handler/prompts';
import type { ReportDocuments } from '../handler/reportDocuments';

type Answer = CommandContract['sessionTree.letAgentsSearch']['answer'];

const ACTIONS = ['show', 'write', 'takeBack'] as const;

export function letAgentsSearchCommands({ agents }: CommandDeps, notifier: Notifier, reports: ReportDocuments) {
  const write = async (program: AgentProgram, name: string): Promise<void> => {
    await agents.write(program);
    notifier.info(vscode.l10n.t('{name} finds your sessions when it starts next.', { name }));
  };
  const takeBack = async (program: AgentProgram, name: string): Promise<void> => {
    await agents.takeBack(program);
    notifier.info(vscode.l10n.t('Took the entry out of the settings of {name}.', { name }));
  };
  /** Reports errors itself: the command has ended when a button is clicked. */
  const run = (work: Promise<void>): Promise<void> => work.catch((error: unknown) => notifier.error(error, undefined));

  const command: CommandHandler<Answer> = {
    title: vscode.l10n.t('Let Agents Look Up Sessions'),
    runWithArguments: async (args) => {
      requiredString(args, 'program');
      const program = optionalOneOf(args, 'program', AGENT_PROGRAMS) ?? 'pi';
      const action = optionalOneOf(args, 'action', ACTIONS) ?? 'show';
      if (action === 'write') await agents.write(program);
      if (action === 'takeBack') await agents.takeBack(program);
      const { file, lines, state } = await agents.plan(program);
      return { file, lines, state };
    },
    runInteractive: async ({ title }) => {
      const choices = await Promise.all(AGENT_PROGRAMS.map((program) => choiceOf(agents, program)));
      const program = await choose(title, vscode.l10n.t('Select the program whose agents may look up your sessions'), choices);
      const { name, file, state, before = '', after, lines } = await agents.plan(program);
      if (state === 'theirs')
        throw new SessionError('invalid', '{name} has another entry “session-tree”, which is left as it is: {path}', { name, path: file });
      if (state === 'ours') {
        const remove = { title: vscode.l10n.t('Take It Back'), run: () => run(takeBack(program, name)) };
        notifier.info(vscode.l10n.t('Agents of {name} may look up your sessions already: {path}', { name, path: shortPath(file) }), remove);
        return;
      }
      await reports.compare(vscode.l10n.t('Settings of {name}', { name }), before, after);
      notifier.info(
        vscode.l10n.t('This is what would be added to {path}. Nothing else in it changes.', { path: shortPath(file) }),
        { title: vscode.l10n.t('Write'), run: () => run(write(program, name)) },
        { title: vscode.l10n.t('Copy Lines'), run: () => vscode.env.clipboard.writeText(lines) },
      );
    },
  };
  return { 'sessionTree.letAgentsSearch': command };
}

async function choiceOf(agents: CommandDeps['agents'], program: AgentProgram): Promise<Choice<AgentProgram>> {
  try {
    const { name, file, state } = await agents.plan(program);
    const description = {
      absent: '',
      ours: vscode.l10n.t('may look up sessions'),
      theirs: vscode.l10n.t('has another entry of this name'),
    }[state];
    return { label: name, description, detail: shortPath(file), value: program };
  } catch (error) {
    return { label: program, detail: localizeError(error), value: program };
  }
}
