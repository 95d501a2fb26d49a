/** The front door: builds the extension's objects and hands them to the editor for disposal. */
export function activate(): void {
  // The rooms arrive with the next commits.
}
