import type { Locator, Page } from '@playwright/test'

declare global {
  interface Window {
    measured: Promise<number>
  }
}

/** An element that contains this text. */
export type ShownText = { selector: string; text: string }

/** Clicks and waits for the text. @returns ms from the click until the first frame that shows it is painted */
export async function shownAfterClick(page: Page, target: Locator, shown: ShownText): Promise<number> {
  await target.waitFor()
  await page.evaluate(({ selector, text }) => {
    const isShown = () => [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(text))
    window.measured = new Promise((resolve) => {
      const onClick = ({ timeStamp }: MouseEvent) => {
        const look = () => {
          if (!isShown()) return void requestAnimationFrame(look)
          // The message is handled after the current frame.
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now() - timeStamp), { once: true })
          port1.start()
          port2.postMessage(null)
        }
        requestAnimationFrame(look)
      }
      window.addEventListener('click', onClick, { capture: true, once: true })
    })
  }, shown)
  await target.click()
  return page.evaluate(() => window.measured)
}
