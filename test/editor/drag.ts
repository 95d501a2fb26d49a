// Drags with the mouse, like a person.
import type { Driver } from './driver';
import { eventually } from './temporarySessions';

/**
 * Drags in steps, because the editor checks each element on the way, and drops once the editor shows that it may.
 *
 * @param mark what the editor shows where it would drop, after it has noticed the dragging and asked the extension
 */
export async function drag(driver: Driver, from: string, to: string, mark: string): Promise<void> {
  const { mouse } = driver.page;
  const middle = async (selector: string): Promise<[number, number]> => {
    const box = (await driver.find(selector).boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const showsPlace = async (): Promise<true | undefined> => {
    // Rows and tabs may move while one is dragged, as others go.
    const [toX, toY] = await middle(to);
    await mouse.move(toX, toY);
    await mouse.move(toX + 5, toY + 5);
    return (await driver.find(mark).isVisible()) ? true : undefined;
  };
  await eventually('the place to drop', async () => {
    const [x, y] = await middle(from);
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + 10, y + 10);
    const place = await eventually('the place to drop', showsPlace, 5_000).catch(() => undefined);
    if (place) return true;
    // The editor drew anew what was pressed, so no drag began. Released at its start, it changes nothing.
    await mouse.move(x, y);
    await mouse.up();
    // Or the drag began after the driver had looked for it. While it lasts, no other one begins.
    const browser = await driver.page.context().newCDPSession(driver.page);
    await browser.send('Input.cancelDragging');
    await browser.detach();
    return undefined;
  });
  await mouse.up();
}
