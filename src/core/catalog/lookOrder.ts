/** Which of several looks at the disk, that go on at the same time, tells of a path: the one that began last. */
export class LookOrder {
  private last = 0;
  private underWay = 0;
  private readonly toldBy = new Map<string, number>();

  /** @returns the look's number, to be given to `tells`; `end` must follow. */
  begin(): number {
    this.underWay++;
    return ++this.last;
  }

  end(): void {
    this.underWay--;
    // No look that is still to begin can be an earlier one.
    if (this.underWay === 0) this.toldBy.clear();
  }

  /** Whether what a look found of a path counts: no later look has told of it. From then on, it has. */
  tells(look: number, path: string): boolean {
    if ((this.toldBy.get(path) ?? 0) > look) return false;
    this.toldBy.set(path, look);
    return true;
  }

  /** Paths that are remembered. */
  get size(): number {
    return this.toldBy.size;
  }
}
