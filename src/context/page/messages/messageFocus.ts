/** The keyboard focus in the list of messages. */

export class MessageFocus {
  /** The element that had the focus last. */
  private lastFocused: HTMLElement | undefined;
  /** The entry of the focused message before a redraw. */
  private savedEntry: string | undefined;

  /** @param main the scrolling element of the list */
  constructor(private readonly main: HTMLElement) {
    // Returns to the previous element after a menu of the editor.
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.lastFocused = target;
    });
    window.addEventListener('focus', () => this.take());
    window.addEventListener('keydown', () => main.classList.remove('focus-from-window'));
    for (const type of ['keydown', 'pointerdown']) main.addEventListener(type, () => this.forget());
  }

  /** Focuses the list, so that keys scroll it without a click. Never takes the focus from another part of the window. */
  take(): void {
    if (!document.hasFocus() || document.activeElement !== document.body) return;
    if (this.lastFocused !== this.main && this.lastFocused?.checkVisibility()) {
      this.lastFocused.focus({ preventScroll: true });
      return;
    }
    this.main.classList.add('focus-from-window');
    this.main.focus({ preventScroll: true });
  }

  /** Returns the entry of the message that has the focus, or of the tool call in it. */
  entryId(): string | undefined {
    const active = this.main.contains(document.activeElement) ? document.activeElement : null;
    return active?.closest<HTMLElement>('[data-entry]')?.dataset['entry'];
  }

  /**
   * Remembers the focused message before all are drawn again. If they're drawn again before it got the focus back, it's still that
   * message.
   * @returns true if the list has the focus
   */
  save(): boolean {
    if (document.activeElement !== this.main) this.savedEntry = this.entryId();
    return this.main.contains(document.activeElement);
  }

  /** Leaves the focus where it is when the message that had it is drawn. */
  forget(): void {
    this.savedEntry = undefined;
  }

  /** Returns the focus to the message that had it, once it's drawn, unless the user moved it elsewhere. */
  restore(): void {
    if (this.savedEntry === undefined) return;
    const { activeElement } = document;
    const isElsewhere = activeElement !== this.main && activeElement !== document.body;
    const article = isElsewhere ? undefined : this.main.querySelector<HTMLElement>(`article[data-entry="${CSS.escape(this.savedEntry)}"]`);
    if (article === null) return;
    this.savedEntry = undefined;
    article?.focus({ preventScroll: true });
  }
}
