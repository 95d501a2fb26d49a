/** The state of the editor's catalog, and the events that notify views of changes. */
import * as vscode from 'vscode';
import { defined } from '../core/index';
import type { SessionError } from '../core/index';
import { COMPLETE, type CatalogProgress } from './catalogProgress';

export class CatalogStatus implements vscode.Disposable {
  /** The reason why the store reads by itself. */
  problem: SessionError | undefined;
  isStopped = false;
  /** True if the store reads by itself until the catalog is needed again. */
  isCleared = false;
  private state = COMPLETE;
  private haveSessionsChanged = false;
  private isDisposed = false;
  private readonly changed = new vscode.EventEmitter<CatalogProgress>();
  /** Fires when more is known, and when reading starts or ends. */
  readonly onDidChange = this.changed.event;
  private readonly sessionsChanged = new vscode.EventEmitter<void>();
  /** Fires when the catalog has read sessions that differ, and when it lost all of them. Not while it reads. */
  readonly onDidChangeSessions = this.sessionsChanged.event;

  progress(): CatalogProgress {
    return {
      ...this.state,
      ...defined({ isStopped: this.isStopped || undefined, isCleared: this.isCleared || undefined, problem: this.problem }),
    };
  }

  /** Fires the events. Without an argument, only the flags have changed. */
  update(state = this.state): void {
    this.state = state;
    if (this.isDisposed) return;
    this.changed.fire(this.progress());
    if (!this.haveSessionsChanged || state !== COMPLETE) return;
    this.haveSessionsChanged = false;
    this.sessionsChanged.fire();
  }

  /** Records that sessions differ, which is reported when reading ends. */
  markSessionsChanged(): void {
    this.haveSessionsChanged = true;
  }

  /** Records that all sessions are lost. Fires nothing. */
  reset(): void {
    this.state = COMPLETE;
    this.haveSessionsChanged = true;
  }

  dispose(): void {
    this.isDisposed = true;
    this.changed.dispose();
    this.sessionsChanged.dispose();
  }
}
