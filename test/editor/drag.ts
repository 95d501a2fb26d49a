// Drags with the mouse, like a person.
import { driver } from './driver';
import { eventually } from './waiting';

/**
 * Drags, and drops once the editor shows that it may. The browser hands over the drag that its mouse events begin, so
 * that it's known from the first event on. Playwright's mouse looks for it after one move only.
 *
 * @param mark what the editor shows where it would drop, after it has noticed the dragging and asked the extension
 */
export async function drag(from: string, to: string, mark: string): Promise<void> {
  const browser = await driver.page.context().newCDPSession(driver.page);
  try {
    let data: unknown;
    browser.on('Input.dragIntercepted', (event) => (data = event.data));
    await browser.send('Input.setInterceptDrags', { enabled: true });
    const [x, y] = await middle(from);
    const button = { button: 'left', buttons: 1, clickCount: 1 };
    // Sent together, so that nothing draws what is pressed again before it moves.
    await Promise.all([
      browser.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, ...button }),
      browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + 10, y: y + 10, ...button }),
    ]);
    await eventually('the drag', () => data !== undefined);
    const send = async (type: string): Promise<unknown> => {
      // Rows and tabs may move while one is dragged, as others go.
      const [toX, toY] = await middle(to);
      return browser.send('Input.dispatchDragEvent', { type, x: toX, y: toY, data });
    };
    await send('dragEnter');
    await eventually('the place to drop', async () => {
      await send('dragOver');
      return driver.find(mark).isVisible();
    });
    await send('drop');
  } finally {
    await browser.detach();
  }
}

async function middle(selector: string): Promise<[number, number]> {
  const box = (await driver.find(selector).boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}
