import type { Locator, Page } from '@playwright/test'

/** What shows that a screen stands: an element with this text in it. */
export type Sign = { selector: string; text: string }

/** Clicks, and waits for the first frame that shows the sign. @returns ms from the click until that frame is painted */
export async function shownAfterClick(page: Page, target: Locator, sign: Sign): Promise<number> {
  await target.waitFor()
  await page.evaluate(({ selector, text }) => {
    const isShown = () => [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(text))
    const measured = new Promise<number>((resolve) => {
      const onClick = ({ timeStamp }: MouseEvent) => {
        const look = () => {
          if (!isShown()) return void requestAnimationFrame(look)
          // A message is taken after the frame whose callbacks run now.
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now() - timeStamp), { once: true })
          port1.start()
          port2.postMessage(null)
        }
        requestAnimationFrame(look)
      }
      window.addEventListener('click', onClick, { capture: true, once: true })
    })
    Object.assign(window, { measured })
  }, sign)
  await target.click()
  return page.evaluate(() => (window as unknown as { measured: Promise<number> }).measured)
}
