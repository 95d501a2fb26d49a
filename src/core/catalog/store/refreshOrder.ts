/** Which of several looks at the disk, that go on at the same time, tells of a path: the one that began last. */
export class RefreshOrder {
  private last = 0;
  private running = 0;
  private readonly latestByPath = new Map<string, number>();

  /** @returns the look's number, to be given to `tells`; `end` must follow. */
  begin(): number {
    this.running++;
    return ++this.last;
  }

  end(): void {
    this.running--;
    // No look that is still to begin can be an earlier one.
    if (this.running === 0) this.latestByPath.clear();
  }

  /** Whether what a look found of a path counts: no later look has told of it. From then on, it has. */
  claim(look: number, path: string): boolean {
    if ((this.latestByPath.get(path) ?? 0) > look) return false;
    this.latestByPath.set(path, look);
    return true;
  }

  /** Paths that are remembered. */
  get size(): number {
    return this.latestByPath.size;
  }
}
