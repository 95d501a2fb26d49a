/** Shows the stored rows of the last window, until the sessions are known. */
import { setTimeout as delay } from 'node:timers/promises';
import { settledWithin } from '../../core/index';
import { windowTurn } from '../../ui/windowTurn';
import type { ViewRow } from '../rows/viewRows';
import type { Screen } from '../screen/screen';

/**
 * Milliseconds from when the window has the rows until the sessions are read. Nothing reports that it has drawn them, and
 * reading would take the processor from it.
 */
const DRAWING = 50;
/** The longest time in milliseconds for which stored rows stay without the sessions being known. */
const MAX_WAIT = 5000;

interface RestoredScreenDeps {
  /** Resolves to the stored rows. Never rejects. */
  readonly load: () => Promise<Screen | undefined>;
  /** Resolves when the editor has been given rows. */
  readonly firstRows: Promise<void>;
  /** Looks for the sessions when it's first called, and resolves when they are known. */
  readonly rowsKnown: () => Promise<void>;
  /** True if the editor shows a row expanded, without a click. */
  readonly isExpanded: (row: ViewRow) => boolean;
  /** Prepares the rows of the sessions. */
  readonly prepare: () => Promise<void>;
  /** Shows these rows instead of the stored ones. The rows below some weren't stored. */
  readonly replace: (without: readonly ViewRow[]) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

export class RestoredScreen {
  private screen: Screen | undefined;
  private loading: Promise<void> | undefined;
  private replaced: Promise<void> = Promise.resolve();
  /** The number of times that the editor asked for rows. */
  private asked = 0;
  /** Expanded rows below which none are stored. */
  private readonly without: ViewRow[] = [];

  constructor(private readonly deps: RestoredScreenDeps) {}

  /** True while the editor has stored rows. */
  get isShown(): boolean {
    return this.screen !== undefined;
  }

  /** Resolves when the rows show the current sessions; immediately if no stored rows are shown. */
  get current(): Promise<void> {
    return this.replaced;
  }

  /** Resolves when the editor has drawn the stored rows; immediately if there are none. */
  async drawn(): Promise<void> {
    await this.load();
    if (!this.isShown) return;
    await this.deps.firstRows;
    let asked: number;
    do {
      asked = this.asked;
      await windowTurn();
      // The editor asks for the rows below the expanded ones that it was given, and draws none before it has them.
    } while (this.asked !== asked);
    await delay(DRAWING);
  }

  /** Resolves to the stored rows below a row. If there are none, resolves to `undefined` when the rows show the current sessions. */
  async level(parent: ViewRow | undefined): Promise<readonly ViewRow[] | undefined> {
    this.asked++;
    await this.load();
    const rows = this.screen?.get(parent?.id);
    if (rows) return rows;
    if (this.isShown && parent && this.deps.isExpanded(parent)) {
      this.without.push(parent);
      return [];
    }
    await this.replaced;
    return undefined;
  }

  private load(): Promise<void> {
    return (this.loading ??= this.deps.load().then((screen) => {
      this.screen = screen;
      if (screen) this.replaced = this.replace();
    }));
  }

  private async replace(): Promise<void> {
    const { rowsKnown, prepare, replace, onError } = this.deps;
    try {
      await this.drawn();
      await settledWithin(rowsKnown(), MAX_WAIT);
      await prepare();
    } catch (error) {
      onError(error, 'reading the rows');
    } finally {
      this.screen = undefined;
      replace(this.without);
    }
  }
}
