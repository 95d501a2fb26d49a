/** Form of an export: what a module for one has to provide. */
import type { ModelWindows } from '../../format/context/contextWindow';
import type { TranslateMessage } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';

/** Facts of the session that an index shows, redacted like the rest. */
export interface ExportHead {
  readonly title: string;
  readonly cwd: string;
  /** When the session began, as its header says. */
  readonly timestamp: string;
}

/** The language of the texts that an export adds, and changes of its lines. */
export interface FormatStyle {
  /** The folder of the HTML page's script and styles. By default the folder of this code's bundle. */
  readonly pageFolder?: string;
  /** Translates the document's own texts; English by default. */
  readonly translate?: TranslateMessage;
  /** The language of these texts, as a tag; English by default. */
  readonly language?: string;
  /** Translations of the page's texts; see `ExportInfo`. */
  readonly translations?: Readonly<Record<string, string>>;
  /** Changes each line after its redaction. */
  readonly change?: (line: string) => Steps<string>;
  /** Leaves out images that are separate files. By default HTML includes them. */
  readonly withoutFileImages?: boolean;
  readonly signal?: AbortSignal;
}

/** A session whose lines can be read once, redacted. `head`, `leafId` and `note()` are known when lines were read. */
export interface ExportSource {
  readonly session: Session;
  readonly style: FormatStyle;
  /** The context windows of its models. */
  readonly windows: ModelWindows;
  readonly head: ExportHead;
  readonly leafId: string | null;
  readonly lines: () => AsyncGenerator<string, void>;
  /** Says how many lines are missing; `undefined` if none are. */
  readonly note: () => string | undefined;
}

/** An exported file, as an index lists it. */
export interface IndexedFile {
  readonly path: string;
  readonly head: ExportHead;
}

/** A file that lists the exported ones. */
export interface FolderPage {
  readonly name: string;
  readonly text: string;
}

/** A form of an export. */
export interface FormatFacts {
  /** A name that is the same in all languages. */
  readonly label: string;
  /** Says what the form is for, below its name. */
  readonly describe: (translate: TranslateMessage) => string;
  /** The extension of its files, without the dot. */
  readonly extension: string;
  /** True if it includes images that are separate files. Other programs find the images by themselves, or not at all. */
  readonly hasFileImages: boolean;
  /**
   * Yields the text of the file in pieces.
   *
   * @param target the file that is written; a temporary copy may be made in its folder
   */
  readonly parts: (source: ExportSource, target: string) => AsyncIterable<string>;
  /** Returns the page that lists several files, if the form has one. */
  readonly index?: (newestFirst: readonly IndexedFile[], style: Required<Pick<FormatStyle, 'translate' | 'language'>>) => FolderPage;
}

/** Returns the day on which a session began; empty if its header doesn't say. */
export const dayOf = ({ head }: IndexedFile): string => (/^\d{4}-\d{2}-\d{2}/.test(head.timestamp) ? head.timestamp.slice(0, 10) : '');
