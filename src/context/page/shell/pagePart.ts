/**
 * A part of the page: the head, the messages, whatever stands beside them. `page.ts` makes each once, when the
 * host's words are there, puts its element in its place and hands it every message of the host that it names.
 */
import type { ToPage } from '../../shared/protocol';

export type Receivers = { readonly [T in ToPage['type']]?: (message: Extract<ToPage, { readonly type: T }>) => void };

export interface PagePart {
  readonly element: HTMLElement;
  /** Called in the order in which `page.ts` has the parts. */
  readonly receive?: Receivers;
}

/** Hands a message to a part, if it wants it. */
export function dispatchMessage(part: PagePart, message: ToPage): void {
  const receive = part.receive?.[message.type] as ((message: ToPage) => void) | undefined;
  receive?.(message);
}
