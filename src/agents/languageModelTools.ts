/** The tools of the MCP server as language model tools of the editor, which answer from the extension's own index. */
import * as vscode from 'vscode';
import { isArray, isObject, uiLine, type Catalog, type Root } from '../core/index';
import type { Memory } from '../memory/memory';
import type { MemorySettings } from '../memory/settings';
import type { ToolName } from '../memory/tools/tools';
import { loadCode } from '../ui/loadCode';

interface ToolDeps {
  readonly openCatalog: () => Promise<Catalog>;
  readonly roots: () => readonly Root[];
  readonly settings: () => MemorySettings;
  /** The extension's manifest, in the editor's language. */
  readonly manifest: unknown;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The tools of `package.json`. The table of tools itself isn't loaded before one of them is called. */
const TOOLS = [
  'search_sessions',
  'list_sessions',
  'session_tree',
  'read_branch',
  'branch_digest',
  'why_line',
  'session_usage',
] as const satisfies readonly ToolName[];
const PREFIX = 'sessionTree_';
/** UTF-16 units of an argument in a question. */
const MAX_ARGUMENT = 300;

type Input = Readonly<Record<string, unknown>>;

export function registerLanguageModelTools(deps: ToolDeps): vscode.Disposable {
  const memory = memoryOf(deps);
  return vscode.Disposable.from(
    ...TOOLS.map((name) =>
      vscode.lm.registerTool<Input>(`${PREFIX}${name}`, {
        prepareInvocation: ({ input }) => ({
          invocationMessage: vscode.l10n.t('Looking into recorded sessions'),
          confirmationMessages: { title: titleOf(name, deps.manifest), message: questionOf(input) },
        }),
        invoke: async ({ input }, token) => {
          const { lookUp } = await loadCode(() => import('../memory/tools/lookUp'), deps.onError);
          const { text } = await lookUp(await memory(), vscode.env.appName, name, isObject(input) ? input : {}, deps.onError);
          if (token.isCancellationRequested) throw new vscode.CancellationError();
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    ),
  );
}

/** Returns what answers, which keeps sessions between calls, as long as the folders are the same. */
function memoryOf({ openCatalog, roots, settings, onError }: ToolDeps): () => Promise<Memory> {
  let made: { readonly roots: readonly Root[]; readonly memory: Memory } | undefined;
  return async () => {
    const { Memory: Made } = await loadCode(() => import('../memory/memory'), onError);
    // The folders are looked for when the index is opened first.
    await openCatalog();
    const current = roots();
    if (made?.roots !== current) made = { roots: current, memory: new Made({ roots: current, openCatalog, settings }) };
    return made.memory;
  };
}

/** Returns a tool's title in the editor's language. */
function titleOf(name: ToolName, manifest: unknown): string {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  const tools = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  const found = (isArray(tools) ? tools : []).find((tool) => isObject(tool) && tool['name'] === `${PREFIX}${name}`);
  return isObject(found) && typeof found['displayName'] === 'string' ? found['displayName'] : name;
}

/** Says what is asked for, and who reads the answer. Arguments may be from a text that the model has read, so nothing in them is Markdown. */
function questionOf(input: unknown): vscode.MarkdownString {
  const args = Object.entries(isObject(input) ? input : {}).map(
    ([key, value]) => `${key}: ${uiLine(typeof value === 'string' ? value : JSON.stringify(value), MAX_ARGUMENT)}`,
  );
  const about = vscode.l10n.t(
    'The agent’s model reads the answer, which quotes your recorded sessions without the secrets that are recognized.',
  );
  const text = new vscode.MarkdownString();
  if (args.length > 0) text.appendText(args.join('\n')).appendMarkdown('\n\n');
  return text.appendText(about);
}
