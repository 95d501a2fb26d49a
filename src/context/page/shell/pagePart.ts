/**
 * A part of the page. `page.ts` creates each part when the first message opens it, attaches its element and
 * dispatches the host's messages to it.
 */
import type { ToPage } from '../../shared/protocol';

type Receivers = { readonly [T in ToPage['type']]?: (message: Extract<ToPage, { readonly type: T }>) => void };

export interface PagePart {
  readonly element: HTMLElement;
  /** Receivers are called in the order of the parts in `page.ts`. */
  readonly receive?: Receivers;
}

/** Calls the part's receiver of a message, if it has one. */
export function dispatchMessage(part: PagePart, message: ToPage): void {
  // TypeScript doesn’t relate the type of a message to the receiver under the same key.
  const receive = part.receive?.[message.type] as ((message: ToPage) => void) | undefined;
  receive?.(message);
}
