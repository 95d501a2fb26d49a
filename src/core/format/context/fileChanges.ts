/**
 * Changes of files, from the edits and writes that a session records. Pure: no file is read. The text of a file is
 * known only after it was read or written as a whole.
 */
import { asString, isArray, isObject, type JsonObject } from '../values/jsonValues';
import { defined } from '../values/defined';
import { textOf } from '../entry/message';
import type { Entry } from '../entry/entry';
import { callEditSteps } from '../lineOrigins/record/callEdits';
import type { FileEdit, Hunk } from '../lineOrigins/record/fileEdit';
import { shownTextOfCall } from '../lineOrigins/record/shownText';
import { applyEdit } from '../lineOrigins/versions/applyEdit';
import { wholeText, withLines } from '../lineOrigins/versions/wholeText';
import type { Steps } from '../session/steps';
import { beginning } from '../text/characters';
import { fileArgument, toolCallBlocks, touchKindOfTool } from '../toolCalls/fileTouches';
import { isPatchTool } from '../toolCalls/patchedFiles';

/**
 * `exact`: the file had both texts. `commands`: commands ran in between, which may have changed it, too.
 * `unknown-before`: the file was written as a whole, and the text before that isn't recorded. `parts`: only the changed
 * parts are known.
 */
export type ChangeCertainty = 'exact' | 'commands' | 'unknown-before' | 'parts';

/** A file's texts before and after the changes of a part of a session. */
export interface FileChange {
  /** As the tool was given it, relative to the session's folder if it's in there. */
  readonly file: string;
  readonly certainty: ChangeCertainty;
  readonly before: string;
  readonly after: string;
  /** The messages with the calls, in order, each once. */
  readonly entryIds: readonly string[];
}

interface FileState {
  /** The text before the first change; absent if it isn't recorded. */
  base?: string;
  /** The text now; absent if only parts of it are known. */
  text?: string;
  /** A command ran since the text was known for certain. */
  commandRan: boolean;
  /** A command ran between that and a change. */
  isDoubtful: boolean;
  /** True once an edit couldn't be applied to the known text. */
  isPartial: boolean;
  readonly parts: [before: string, after: string][];
  readonly entryIds: Set<string>;
}

interface Call {
  readonly name: string;
  readonly given: JsonObject;
  readonly entryId: string;
}

const MAX_FILES = 500;
/** UTF-16 units of a text that is followed, and of the parts of a file. */
const MAX_TEXT = 1_000_000;
const MAX_PARTS = 1000;
/** Tools that change no file. */
const HARMLESS_TOOLS = new Set(['grep', 'find', 'ls', 'search', 'glob', 'web_search', 'fetch']);
/** Stands between two parts. */
const GAP = '\n⋯\n';

export class FileChangeCollector {
  private readonly files = new Map<string, FileState>();
  private readonly calls = new Map<string, Call>();

  /** @param readsWhole results of `read` are the file's own text, as in pi's sessions. */
  constructor(
    private readonly cwd: string,
    private readonly readsWhole: boolean,
  ) {}

  /** Adds the next entry of the branch, in steps. */
  *add(entry: Entry): Steps<void> {
    const message = 'message' in entry ? entry.message : undefined;
    if (!isObject(message)) return;
    switch (message['role']) {
      case 'assistant':
        for (const call of toolCallBlocks(message['content'])) {
          const given = isObject(call['arguments']) ? call['arguments'] : {};
          this.calls.set(asString(call['id']) ?? '', { name: (asString(call['name']) ?? '').toLowerCase(), given, entryId: entry.id });
        }
        return;
      case 'toolResult': {
        const id = asString(message['toolCallId']) ?? '';
        const call = this.calls.get(id);
        this.calls.delete(id);
        if (call) yield* this.apply(call, message);
        return;
      }
      case 'bashExecution':
      case 'pythonExecution':
        this.commandRan();
    }
  }

  /** Makes the texts that files have now the ones before all changes. Changes so far don't count. */
  startHere(): void {
    for (const [file, { text, isPartial, commandRan }] of this.files) {
      const known = text === undefined || isPartial ? {} : { base: text, text };
      this.files.set(file, { ...known, commandRan, isDoubtful: false, isPartial: false, parts: [], entryIds: new Set() });
    }
  }

  /** Returns the files that differ. */
  changes(): FileChange[] {
    return [...this.files].flatMap(([file, state]): FileChange[] => {
      const { base, text, parts } = state;
      const entryIds = [...state.entryIds];
      if (entryIds.length === 0) return [];
      if (text === undefined || state.isPartial)
        return [
          {
            file,
            certainty: 'parts',
            before: parts.map(([before]) => before).join(GAP),
            after: parts.map(([, after]) => after).join(GAP),
            entryIds,
          },
        ];
      if (base === undefined) return [{ file, certainty: 'unknown-before', before: '', after: text, entryIds }];
      if (base === text) return [];
      return [{ file, certainty: state.isDoubtful ? 'commands' : 'exact', before: base, after: text, entryIds }];
    });
  }

  private *apply({ name, given, entryId }: Call, result: JsonObject): Steps<void> {
    const kind = touchKindOfTool(name);
    const path = fileArgument(given);
    if (kind === undefined && !isPatchTool(name)) {
      if (!HARMLESS_TOOLS.has(name)) this.commandRan();
      return;
    }
    if (result['isError'] === true) return;
    if (kind === 'read') {
      const isWhole = isWholeRead(given, result) && shownTextOfCall({ name, arguments: given }, result, true)?.isWhole !== false;
      const state = path !== undefined && this.readsWhole && isWhole ? this.stateOf(path) : undefined;
      if (state) setKnownText(state, textOf(result['content']));
      return;
    }
    const edits = yield* callEditSteps({ name, arguments: given }, result);
    for (const edit of edits) {
      yield* this.change(edit, entryId);
      yield;
    }
    // The call changed the file in a way that isn't understood.
    if (edits.length === 0 && path !== undefined) yield* this.change({ file: path, hunks: [], replacements: [], isCertain: true }, entryId);
  }

  private *change(edit: FileEdit, entryId: string): Steps<void> {
    const state = this.stateOf(edit.file);
    if (!state) return;
    if (edit.before !== undefined) setKnownText(state, edit.before);
    state.entryIds.add(entryId);
    if (state.commandRan) state.isDoubtful = true;
    const text = edit.isDeletion === true ? '' : edit.text;
    if (text === undefined) yield* replaceParts(state, edit);
    else write(state, text);
    if (edit.movedTo !== undefined) this.move(edit.file, edit.movedTo);
  }

  /** Goes on with a file's changes under its new name. A file that had that name is replaced: the text before is its own. */
  private move(from: string, to: string): void {
    const state = this.files.get(this.relative(from));
    if (!state) return;
    this.files.delete(this.relative(from));
    const replaced = this.files.get(this.relative(to));
    this.files.set(this.relative(to), replaced ? replacement(replaced, state) : state);
  }

  private commandRan(): void {
    for (const state of this.files.values()) state.commandRan = true;
  }

  private stateOf(path: string): FileState | undefined {
    const file = this.relative(path);
    const known = this.files.get(file);
    if (known || this.files.size >= MAX_FILES) return known;
    const state: FileState = { commandRan: false, isDoubtful: false, isPartial: false, parts: [], entryIds: new Set() };
    this.files.set(file, state);
    return state;
  }

  private relative(path: string): string {
    const { cwd } = this;
    const inCwd = cwd !== '' && (path.startsWith(`${cwd}/`) || path.startsWith(`${cwd}\\`));
    return inCwd ? path.slice(cwd.length + 1) : path.replace(/^\.\//, '');
  }
}

/** Returns the state of a file that was replaced by moving another file to its path. */
function replacement({ base, commandRan, isDoubtful, parts, entryIds }: FileState, moved: FileState): FileState {
  const { text } = moved;
  return {
    ...defined({ base, text }),
    commandRan: moved.commandRan,
    isDoubtful: commandRan || isDoubtful || moved.isDoubtful,
    isPartial: moved.isPartial,
    parts: [...parts, ...moved.parts].slice(0, MAX_PARTS),
    entryIds: new Set([...entryIds, ...moved.entryIds]),
  };
}

function setKnownText(state: FileState, text: string): void {
  if (text.length > MAX_TEXT) return;
  state.commandRan = false;
  if (state.entryIds.size === 0) [state.base, state.text] = [text, text];
  // Something else changed the file: that is part of the difference.
  else if (state.text !== undefined && state.text !== text) [state.text, state.isDoubtful] = [text, true];
}

function write(state: FileState, content: string): void {
  if (content.length > MAX_TEXT) {
    state.isPartial = true;
    return;
  }
  addPart(state, state.text ?? '', content);
  // From here on, the whole text is known again.
  state.text = content;
  state.isPartial = false;
}

function* replaceParts(state: FileState, edit: FileEdit): Steps<void> {
  const { replacements, hunks, movedTo } = edit;
  for (const { before, after } of replacements.slice(0, MAX_PARTS)) addPart(state, before, after);
  // Differences repeat the texts that the arguments replace.
  for (const hunk of replacements.length > 0 ? [] : hunks.slice(0, MAX_PARTS))
    addPart(state, linesOf(hunk, '+').join('\n'), linesOf(hunk, '-').join('\n'));
  if (replacements.length + hunks.length === 0 && movedTo !== undefined) return;
  const whole = state.text === undefined ? undefined : wholeText(state.text);
  const made = whole && (yield* applyEdit(whole.plain, edit));
  const text = whole && made?.kind === 'applied' ? withLines(whole, made.text)?.text : undefined;
  if (text === undefined) state.isPartial = true;
  else state.text = text;
}

/** Returns the lines of one side of a hunk. @param otherSide the sign of the lines that only the other side has */
const linesOf = ({ lines }: Hunk, otherSide: '+' | '-'): string[] => lines.filter(({ sign }) => sign !== otherSide).map(({ text }) => text);

function addPart(state: FileState, before: string, after: string): void {
  if (state.parts.length < MAX_PARTS) state.parts.push([beginning(before, MAX_TEXT / 100), beginning(after, MAX_TEXT / 100)]);
}

/** Returns whether a result has all of a file: no part was asked for, and nothing was cut. */
function isWholeRead(given: JsonObject, { content, details, isError }: JsonObject): boolean {
  const isCut = isObject(details) && isObject(details['truncation']) && details['truncation']['truncated'] === true;
  const isOneText = isArray(content) && content.length === 1 && isObject(content[0]) && content[0]['type'] === 'text';
  return isError !== true && given['offset'] === undefined && given['limit'] === undefined && !isCut && isOneText;
}
