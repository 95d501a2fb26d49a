/** Requests how many files would change at the row on which the pointer or the focus rests. */

/** Milliseconds for which it must rest there. */
const REST = 350;

interface ChangesRequest {
  /** Called when the pointer or the focus comes to an entry, or leaves. */
  readonly to: (entryId: string | undefined) => void;
  /** The entry that was requested last, unless it was left. */
  readonly at: () => string | undefined;
}

/** @param request is called with the entry, and with `undefined` when it was left */
export function changesRequest(request: (entryId: string | undefined) => void): ChangesRequest {
  let requested: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    to: (entryId) => {
      clearTimeout(timer);
      if (entryId === requested) return;
      if (requested !== undefined) request((requested = undefined));
      if (entryId !== undefined) timer = setTimeout(() => request((requested = entryId)), REST);
    },
    at: () => requested,
  };
}
