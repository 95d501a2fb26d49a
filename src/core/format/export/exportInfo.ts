/** Information in an HTML export in addition to the session's lines, as JSON in a separate block. */
import type { ModelWindows } from '../context/contextWindow';
import type { Dialect } from '../entry/dialect';

/** The id of the block. */
export const EXPORT_INFO_ID = 'export-info';

/** Translations by their keys, as in `l10n/bundle.l10n.*.json`. */
export type Translations = Readonly<Record<string, string>>;

export interface ExportInfo {
  readonly title: string;
  /** The entry that the program continues at, if the lines don't show it; `null` before the first entry. */
  readonly leafId?: string | null;
  /** A sentence at the top of the page, for example about omissions. */
  readonly note?: string;
  /** The program that wrote the session, if the lines don't show it. */
  readonly dialect?: Dialect;
  /** The language of the page's texts; English by default. */
  readonly language?: string;
  /** Translations of the page's texts, keyed as in `l10n/bundle.l10n.json`. */
  readonly translations?: Translations;
  /** The context windows of models. */
  readonly windows?: ModelWindows;
}
