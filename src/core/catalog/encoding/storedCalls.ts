/** The row texts of tool calls before lines that are read after stored heads. Most are stored once, as the texts of their results. */
import type { HeadColumns } from '../../format/columns/headColumns';
import type { EntryHead } from '../../format/entry/entryHead';
import type { ToolCallTexts } from '../../format/entry/parseHead';

type Result = Pick<EntryHead, 'text' | 'toolName'>;

/** Returns the text of the call that a result answers. `undefined` if the result's text is what it is without a call. */
export const callTextOf = ({ text, toolName = 'tool' }: Result): string | undefined => (text === `[${toolName}]` ? undefined : text);

export class StoredCalls implements ToolCallTexts {
  private readonly texts: Map<string, string>;
  private answers: ReadonlyMap<string, string | undefined> | undefined;

  /** @param texts those that the last result of the call doesn't have: it has none yet, or its id was used again */
  constructor(
    texts: Iterable<readonly [string, string]>,
    private readonly columns: HeadColumns,
  ) {
    this.texts = new Map(texts);
  }

  /** Reads all rows when a text is requested that isn't stored: few calls have several results. */
  get(id: string): string | undefined {
    return this.texts.get(id) ?? (this.answers ??= answersIn(this.columns)).get(id);
  }

  set(id: string, text: string): void {
    this.texts.set(id, text);
  }

  keys(): Iterable<string> {
    return this.texts.keys();
  }
}

/** Returns the calls' texts that their last results have. */
function answersIn(columns: HeadColumns): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (let row = 0; row < columns.profile.length; row++) {
    const profile = columns.profiles[columns.profile[row]!];
    if (profile?.hasCall === true) {
      columns.load(row);
      found.set(columns.toolCallId(row), callTextOf({ ...profile, text: columns.text(row) }));
    }
    const irregular = profile ? undefined : columns.irregular.get(row);
    if (irregular?.toolCallId !== undefined) found.set(irregular.toolCallId, callTextOf(irregular));
  }
  return found;
}
