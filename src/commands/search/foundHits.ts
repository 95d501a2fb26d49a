/** The hits of the last search, and the one that is shown. */
import * as vscode from 'vscode';
import type { SearchHit } from '../../core/index';

/** The context key for keybindings: true once a hit was chosen. */
const HAS_HITS_KEY = 'sessionTree.hasSearchResults';

/** A hit and its place among all of them. */
export interface PlacedHit {
  readonly hit: SearchHit;
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
}

export class FoundHits {
  private hits: readonly SearchHit[] = [];
  private at = 0;

  /** Keeps a list in its order, with the chosen hit as the current one, which is returned. */
  set(hits: readonly SearchHit[], chosen: SearchHit): PlacedHit {
    if (this.hits.length === 0) void vscode.commands.executeCommand('setContext', HAS_HITS_KEY, true);
    this.hits = hits;
    this.at = Math.max(0, hits.indexOf(chosen));
    return { hit: chosen, number: this.at + 1, count: hits.length };
  }

  /** Goes to the next (1) or previous (-1) hit; after the last comes the first. Returns `undefined` if there are none. */
  step(by: 1 | -1): PlacedHit | undefined {
    const count = this.hits.length;
    const next = (this.at + by + count) % count;
    const hit = this.hits[next];
    if (!hit) return undefined;
    this.at = next;
    return { hit, number: next + 1, count };
  }
}
