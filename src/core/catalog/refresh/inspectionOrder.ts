/** Orders inspections of the disk that overlap in time: for each path, the result of the one that began last counts. */
export class InspectionOrder {
  private last = 0;
  private running = 0;
  private readonly latestByPath = new Map<string, number>();

  /** @returns the inspection's number, for `claim`. Each call needs one call of `end`. */
  begin(): number {
    this.running++;
    return ++this.last;
  }

  end(): void {
    this.running--;
    // Inspections that begin from now on have higher numbers, so nothing has to be remembered.
    if (this.running === 0) this.latestByPath.clear();
  }

  /** Returns false if a later inspection has claimed the path. Otherwise the path belongs to this one from now on. */
  claim(inspection: number, path: string): boolean {
    if ((this.latestByPath.get(path) ?? 0) > inspection) return false;
    this.latestByPath.set(path, inspection);
    return true;
  }

  /** Number of remembered paths. */
  get size(): number {
    return this.latestByPath.size;
  }
}
