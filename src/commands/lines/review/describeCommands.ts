/** The command that describes changes for a pull request, by the sessions that wrote their lines. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../../contract';
import {
  changeStory,
  defined,
  draftStory,
  isObject,
  SessionError,
  type BatchChoices,
  type ChangeStory,
  type ChangeStoryOptions,
  type StoryDraft,
} from '../../../core/index';
import { groupFindings } from '../../export/findingGroups';
import { redactionSettings } from '../../export/redactionSettings';
import { reviewFindings } from '../../export/reviewFindings';
import { withCancellableProgress } from '../../handler/cancellableProgress';
import { optionalString, requiredFolder, requiredString, type CommandArguments } from '../../handler/commandArguments';
import type { CommandDeps } from '../../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../../handler/commandHandler';
import type { NotificationAction, Notifier } from '../../handler/notifications';
import { askText, choose } from '../../handler/prompts';
import { settledCatalog } from '../../handler/settledCatalog';
import { askRange, assertTrusted, chooseRepository } from '../agentTrace/agentTraceInput';

type Answer = CommandContract['sessionTree.describeChanges']['answer'];
type Range = Pick<ChangeStoryOptions, 'repository' | 'from' | 'to'>;

export function describeCommands(deps: CommandDeps, notifier: Notifier) {
  const optionsFor = (range: Range): ChangeStoryOptions => {
    assertTrusted();
    const cost = vscode.workspace.getConfiguration('sessionTree.describeChanges').get('cost') !== false;
    return { ...range, cost, redact: redactionSettings() };
  };
  const handler = (
    title: string,
    rangeOf: (repository: string, args: CommandArguments) => Range,
    ask: (call: CommandInvocation) => Promise<Range>,
  ): CommandHandler<Answer> => ({
    title,
    runWithArguments: async (args) => {
      const options = optionsFor(rangeOf(requiredFolder(args, 'repository'), args));
      const { markdown, redacted } = await changeStory(await settledCatalog(deps.catalog), options);
      return { markdown, redacted };
    },
    runInteractive: async (call) => {
      assertTrusted();
      await show(await ask(call), call.title);
    },
  });
  const show = async (range: Range, title: string): Promise<void> => {
    const options = optionsFor(range);
    const story = await withCancellableProgress(vscode.l10n.t('Describing the changes…'), async (progress) =>
      draftStory(await settledCatalog(deps.catalog), { ...options, ...progress }),
    ).then((draft) => reviewedStory(deps, draft, title));
    if (story.sessions.length === 0) {
      notifier.info(vscode.l10n.t('No session is known to have written a line of these changes.'));
      return;
    }
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: story.markdown });
    await vscode.window.showTextDocument(document);
    notifier.info(vscode.l10n.t('Described the changes.'), ...actionsFor(range.repository, () => document.getText()));
  };
  return {
    'sessionTree.describeChanges': handler(
      vscode.l10n.t('Describe Changes'),
      (repository, args) => ({ repository, ...defined({ from: optionalString(args, 'from'), to: optionalString(args, 'to') }) }),
      (call) => chooseRange(call.title, call.menuUris()[0]?.fsPath),
    ),
    'sessionTree.explainCommit': handler(
      vscode.l10n.t('Explain Commit'),
      (repository, args) => rangeOfCommit(repository, requiredString(args, 'commit')),
      async ({ title }) => {
        const repository = await chooseRepository(title);
        const commit = await askText({ title, value: 'HEAD', prompt: vscode.l10n.t('The commit: a hash, a branch or a tag') });
        return rangeOfCommit(repository, commit.trim());
      },
    ),
  };
}

/** Tells a change after a review of the findings in it. What the review hasn't shown is replaced. @throws {vscode.CancellationError} */
async function reviewedStory(deps: CommandDeps, draft: StoryDraft, title: string): Promise<ChangeStory> {
  try {
    const tell = (choices: BatchChoices): Promise<ChangeStory> =>
      withCancellableProgress(vscode.l10n.t('Describing the changes…'), (progress) => draft.tell(choices, progress));
    const usual = await tell({});
    // Only with its placeholder, an uncertain text can be found in the story. The brackets may be escaped.
    const strict = usual.findings.some(({ kept }) => kept) ? await tell({ also: true }) : usual;
    const found = usual.findings.filter(({ placeholder }) => strict.markdown.includes(placeholder.slice(1, -1)));
    if (found.length === 0) return strict;
    const findings = await groupFindings(found);
    const { keep, also, leaveOut } = await reviewFindings(deps, findings, 0, title);
    const uncertain = findings.groups.flatMap(({ finding: { uncertain: isUncertain, key } }) =>
      isUncertain && !also.includes(key) ? key : [],
    );
    return await tell({ keep: [...keep, ...uncertain], also: true, leaveOut });
  } finally {
    draft.end();
  }
}

/** Returns a commit's range: what it has and its parent doesn't. */
const rangeOfCommit = (repository: string, commit: string): Range => ({ repository, from: `${commit}^`, to: commit });

async function chooseRange(title: string, folder: string | undefined): Promise<Range> {
  const kind = await choose<'branch' | 'uncommitted' | 'range'>(title, vscode.l10n.t('Select the changes'), [
    {
      label: vscode.l10n.t({ message: 'This Branch', comment: 'A Git branch' }),
      description: vscode.l10n.t('since the remote’s default branch, with uncommitted changes'),
      value: 'branch',
    },
    { label: vscode.l10n.t('Uncommitted Changes'), value: 'uncommitted' },
    { label: vscode.l10n.t('Range of Commits…'), value: 'range' },
  ]);
  if (kind === 'range') return askRange(title);
  const repository = folder ?? (await chooseRepository(title));
  return kind === 'branch' ? { repository } : { repository, from: 'HEAD' };
}

/** Buttons that take the text along, as the person left it. */
function actionsFor(repository: string, text: () => string): NotificationAction[] {
  return [
    { title: vscode.l10n.t('Copy'), run: () => vscode.env.clipboard.writeText(text()) },
    ...(vscode.extensions.getExtension('vscode.git')
      ? [{ title: vscode.l10n.t('Use as Commit Message'), run: () => fillSourceControl(repository, text()) }]
      : []),
    ...(vscode.extensions.getExtension(PULL_REQUESTS)
      ? [{ title: vscode.l10n.t('Use for Pull Request'), run: () => offerForPullRequest(text) }]
      : []),
  ];
}

/** The published API of VS Code's Git extension, as far as it's needed: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts */
interface GitApi {
  readonly getRepository: (uri: vscode.Uri) => { readonly inputBox: { value: string } } | null;
}

async function fillSourceControl(repository: string, text: string): Promise<void> {
  const exports: unknown = await vscode.extensions.getExtension('vscode.git')?.activate();
  // The function throws while Git is switched off.
  const api =
    isObject(exports) && typeof exports['getAPI'] === 'function' ? (exports as { getAPI: (version: 1) => GitApi }).getAPI(1) : undefined;
  const found = api?.getRepository(vscode.Uri.file(repository));
  if (!found) throw new SessionError('not-found', 'Source Control doesn’t have this repository: {path}', { path: repository });
  found.inputBox.value = text;
  await vscode.commands.executeCommand('workbench.view.scm');
}

const PULL_REQUESTS = 'GitHub.vscode-pull-request-github';

/**
 * The published API of GitHub's extension for pull requests, as far as it's needed:
 * https://github.com/microsoft/vscode-pull-request-github/blob/main/src/api/api.d.ts
 */
interface PullRequestApi {
  readonly registerTitleAndDescriptionProvider: (title: string, provider: TitleAndDescriptionProvider) => vscode.Disposable;
}

interface TitleAndDescriptionProvider {
  readonly provideTitleAndDescription: (context: {
    readonly commitMessages: readonly string[];
  }) => Promise<{ readonly title: string; readonly description: string }>;
}

const isPullRequestApi = (value: unknown): value is PullRequestApi =>
  isObject(value) && typeof value['registerTitleAndDescriptionProvider'] === 'function';

let offered: vscode.Disposable | undefined;

/** Opens GitHub's view for a new pull request, whose button that generates a description then fills in the text, once. */
async function offerForPullRequest(text: () => string): Promise<void> {
  const exports: unknown = await vscode.extensions.getExtension(PULL_REQUESTS)?.activate();
  if (!isPullRequestApi(exports)) throw new SessionError('not-found', 'GitHub Pull Requests takes no descriptions. Update that extension.');
  offered?.dispose();
  const registered = exports.registerTitleAndDescriptionProvider('Pi Session Tree', {
    provideTitleAndDescription: ({ commitMessages: [first = ''] }) => {
      registered.dispose();
      return Promise.resolve({ title: first.split('\n', 1).join(''), description: text() });
    },
  });
  offered = registered;
  await vscode.commands.executeCommand('pr.create');
}
