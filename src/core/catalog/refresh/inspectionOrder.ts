/** Orders inspections of the disk that overlap in time: for each path, the result of the one that began last counts. */
export class InspectionOrder {
  private last = 0;
  /** The numbers of the running inspections, in ascending order. */
  private readonly running = new Set<number>();
  /** The inspection that no other has overlapped with. */
  private undisturbed: number | undefined;
  private readonly latestByPath = new Map<string, number>();

  /** @returns the inspection's number, for `claim`. Each call needs one call of `end`. */
  begin(): number {
    this.running.add(++this.last);
    this.undisturbed = this.running.size === 1 ? this.last : undefined;
    return this.last;
  }

  end(inspection: number): void {
    this.running.delete(inspection);
    // Inspections that begin from now on have higher numbers, so nothing has to be remembered.
    if (this.running.size === 0) this.latestByPath.clear();
  }

  /** True if no other inspection has run since this one began. */
  isUndisturbed(inspection: number): boolean {
    return this.undisturbed === inspection;
  }

  /** Returns false if a later inspection has claimed the path. Otherwise the path belongs to this one from now on. */
  claim(inspection: number, path: string): boolean {
    // Without others nothing has to be remembered. The inspection of everything claims thousands of files.
    if (this.isUndisturbed(inspection)) return true;
    if ((this.latestByPath.get(path) ?? 0) > inspection) return false;
    // Only an inspection that began earlier would be refused.
    const [first] = this.running;
    if (first !== inspection) this.latestByPath.set(path, inspection);
    return true;
  }

  /** Number of remembered paths. */
  get size(): number {
    return this.latestByPath.size;
  }
}
