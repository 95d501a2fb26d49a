/** Tells when polling may take longer pauses: nobody uses the window, and no session changes. */
import * as vscode from 'vscode';

/** Milliseconds after a change of a session in which more changes are likely. */
const CHANGING_MS = 60_000;

export class IdleTime implements vscode.Disposable {
  private readonly ended = new vscode.EventEmitter<void>();
  /** Sent when the window is used again, or a session changes, after both weren't so. */
  readonly onDidEnd = this.ended.event;
  private lastChange = performance.now();
  private isActive = vscode.window.state.active;
  private readonly windowState = vscode.window.onDidChangeWindowState(({ active }) => {
    const wasIdle = this.isIdle();
    this.isActive = active;
    if (wasIdle && active) this.ended.fire();
  });

  isIdle(): boolean {
    return !this.isActive && performance.now() - this.lastChange >= CHANGING_MS;
  }

  /** To be called when sessions have changed. */
  sessionsChanged(): void {
    const wasIdle = this.isIdle();
    this.lastChange = performance.now();
    if (wasIdle) this.ended.fire();
  }

  dispose(): void {
    this.windowState.dispose();
    this.ended.dispose();
  }
}
