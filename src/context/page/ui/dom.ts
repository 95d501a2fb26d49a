/** Helpers that create and update DOM elements. Strings become text nodes; nothing here accepts HTML. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/**
 * Creates an element. `on…` functions become listeners, `true` an empty attribute; `false` and `undefined` are left
 * out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Replaces the content of an element. A focused element with a `data-key` keeps the focus. */
export function redraw(element: HTMLElement, children: readonly (Node | string)[]): void {
  const focused =
    document.activeElement instanceof HTMLElement && element.contains(document.activeElement)
      ? document.activeElement.dataset['key']
      : undefined;
  element.replaceChildren(...children);
  if (focused !== undefined) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/**
 * Redraws the content of an element and preserves the focus: moves it to the same control of the new content, else to
 * the element that `orElse` returns.
 */
export function preserveFocus(element: HTMLElement, draw: () => void, orElse: () => HTMLElement | null | undefined): void {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || !element.contains(active)) {
    draw();
    return;
  }
  const name = controlSignature(active);
  const nth = controlsLike(element, name).indexOf(active);
  draw();
  const now = controlsLike(element, name);
  (now[nth] ?? now.at(-1) ?? orElse())?.focus({ preventScroll: true });
}

const controlsLike = (element: HTMLElement, name: string): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>('a, button, input, summary, [tabindex]')].filter((one) => controlSignature(one) === name);

/** Identifies a control across redraws, independent of its state. */
function controlSignature(control: Element): string {
  const fold = control.closest<HTMLElement>('[data-fold]')?.dataset['fold'] ?? '';
  const entry = control.closest<HTMLElement>('article')?.dataset['entry'] ?? '';
  return [entry, fold, control.tagName, control.tagName === 'SUMMARY' ? '' : (control.ariaLabel ?? control.textContent)].join('\n');
}

/** Replaces the placeholders `{0}`, `{1}` … of a text. */
export function formatMessage(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (place, n: string) => String(values[Number(n)] ?? place));
}

/** Rounds an estimate to two significant digits. */
export function roundEstimate(value: number): number {
  return Number(value.toPrecision(2));
}
