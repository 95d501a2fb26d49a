/** Works that follow each other, such as a change and the undo that a person asks for while it's made. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Does the work after all that was given before, even if some of that failed. Settles as the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => work());
    // The caller has the error.
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
