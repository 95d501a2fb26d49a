/** The preview among the context views: the next context replaces it, until it is kept open by a command or a double click. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../../contract';
import type { ContextView } from './contextView';

/** The context key for menus: true while the preview is the active editor. */
const IS_PREVIEW_KEY = 'sessionTree.contextIsPreview';
/** Milliseconds between the two clicks of a double click. */
const DOUBLE_CLICK = 500;

export class ContextPreview {
  private current: ContextView | undefined;
  private isActive = false;
  /** The row that was clicked last, and when. */
  private lastClick: { readonly ref: SessionRef; readonly time: number } | undefined;

  /** @param now returns milliseconds */
  constructor(private readonly now: () => number) {}

  get view(): ContextView | undefined {
    return this.current;
  }

  set(view: ContextView): void {
    this.current = view;
    view.setPreview(true);
  }

  /** Keeps the preview open: the next context opens in another view. */
  keepOpen(): void {
    const { current } = this;
    this.current = undefined;
    current?.setPreview(false);
    this.updateContextKey();
  }

  /** Forgets a closed view. */
  closed(view: ContextView): void {
    if (this.current === view) this.current = undefined;
    this.updateContextKey();
  }

  updateContextKey(): void {
    const isActive = this.current?.panel.active === true;
    if (isActive === this.isActive) return;
    this.isActive = isActive;
    void vscode.commands.executeCommand('setContext', IS_PREVIEW_KEY, isActive);
  }

  /** Records a click on a row. @returns true for the second click of a double click */
  click(ref: SessionRef): boolean {
    const { lastClick } = this;
    this.lastClick = { ref, time: this.now() };
    return lastClick !== undefined && sameRef(lastClick.ref, ref) && this.lastClick.time - lastClick.time < DOUBLE_CLICK;
  }
}

export function sameRef(a: SessionRef, b: SessionRef): boolean {
  return a.path === b.path && a.entryId === b.entryId;
}
