/** The articles of a list, as the list draws them. */
export interface ListSource {
  readonly count: () => number;
  /** The estimated height in pixels before the article is drawn. */
  readonly estimate: (index: number) => number;
  /** Returns true if the article is loaded. */
  readonly has: (index: number) => boolean;
  /**
   * Prepares the drawing.
   * @param until when to stop, on the clock of `performance`.
   * @returns true if the article is ready to be drawn.
   */
  readonly prepare: (index: number, until: number) => boolean;
  readonly draw: (index: number) => HTMLElement;
  /** Draws a placeholder until the article is drawn. */
  readonly placeholder: (index: number) => HTMLElement;
  /** Called after each update with the visible range; `to` is exclusive. A focused row elsewhere isn't part of it. */
  readonly onRange: (from: number, to: number) => void;
  readonly onScroll: () => void;
}
