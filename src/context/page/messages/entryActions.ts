/**
 * The buttons of entries. They are a third of a message's elements, but appear on hover and focus only. So they are made
 * when the list rests, or for a message that the pointer or the focus reaches before.
 */
import { h } from '../ui/dom';

/** Milliseconds without new messages after which the list rests. */
const REST = 150;
/** Milliseconds of work in one task. */
const BUDGET = 4;

const builders = new WeakMap<Element, () => readonly Node[]>();

/** Returns the place of the buttons. @param build makes them, once */
export function entryActions(name: string, build: () => readonly Node[]): HTMLElement {
  const element = h('span', { class: 'actions', role: 'group', 'aria-label': name });
  builders.set(element, build);
  return element;
}

/** Makes the buttons of all messages within an element. */
export function makeActions(within: ParentNode): void {
  for (const element of within.querySelectorAll('.actions')) make(element);
}

/** Makes the buttons of the messages in a list when they are needed. */
export class ActionMaker {
  private lastDrawn = 0;
  private isWaiting = false;

  constructor(private readonly list: HTMLElement) {
    const reach = ({ target, relatedTarget }: PointerEvent | FocusEvent): void => {
      const article = target instanceof Element ? target.closest('article') : null;
      if (!article || (relatedTarget instanceof Element && article.contains(relatedTarget))) return;
      makeActions(article);
      for (const element of article.querySelectorAll<HTMLElement>('.article-header > .actions')) fit(element);
    };
    list.addEventListener('pointerover', reach);
    list.addEventListener('focusin', reach);
  }

  /** Call it for each message that is drawn. */
  drawn(): void {
    this.lastDrawn = performance.now();
    if (!this.isWaiting) this.waitForRest(REST);
  }

  private waitForRest(delay: number): void {
    this.isWaiting = true;
    setTimeout(() => {
      const left = this.lastDrawn + REST - performance.now();
      if (left > 0) this.waitForRest(left);
      else this.makeSome();
    }, delay);
  }

  /** Makes buttons for a few milliseconds, and continues in another task if the list still rests then. */
  private makeSome(): void {
    const until = performance.now() + BUDGET;
    for (const element of this.list.querySelectorAll('.actions')) {
      if (performance.now() >= until) {
        this.waitForRest(0);
        return;
      }
      make(element);
    }
    this.isWaiting = false;
  }
}

/** Leaves out the ID, and then all but the menu, if they would cover what the header says. */
function fit(actions: HTMLElement): void {
  const parts = actions.parentElement?.querySelectorAll('.article-header > :not(.actions, .article-details), .article-details > bdi') ?? [];
  const before = [...parts].at(-1);
  for (const shown of ['all', 'buttons', 'menu']) {
    actions.dataset['fit'] = shown;
    if (!before || before.getBoundingClientRect().right <= actions.getBoundingClientRect().left) return;
  }
}

function make(element: Element): void {
  const build = builders.get(element);
  builders.delete(element);
  if (build) element.append(...build());
}
