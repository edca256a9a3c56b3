import { type Phase, atMost } from './phase.ts'

const pages = [
  { name: '/ signed out', as: 'nobody', path: '/' },
  { name: '/auth', as: 'nobody', path: '/auth' },
  { name: 'Dashboard', as: 'analyst', path: '/' },
] as const

/** After that nothing of a first load is under way any more, ms. */
const restMs = 1_500

type Seen = { largest: number; shift: number }

/** What Chromium itself says of a page that it opens for the first time. */
export const measureFirstLoad: Phase = async ({ url, runs, open }) => {
  const figures = []
  for (const { name, as, path } of pages) {
    const seen: Seen[] = []
    for (let run = 0; run < runs; run += 1) {
      const context = await open(as)
      const page = await context.newPage()
      await page.addInitScript(() => {
        const vitals = { largest: 0, shift: 0 }
        Object.assign(window, { vitals })
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
            if (entry.entryType === 'layout-shift') vitals.shift += entry.value
            else vitals.largest = entry.startTime
          }
        })
        for (const type of ['largest-contentful-paint', 'layout-shift']) observer.observe({ type, buffered: true })
      })
      await page.goto(url + path)
      await page.waitForTimeout(restMs)
      seen.push(await page.evaluate(() => (window as unknown as { vitals: Seen }).vitals))
      await context.close()
    }
    figures.push(
      { name: `LCP of ${name}, ms`, digits: 0, goal: atMost(1_500), values: seen.map(({ largest }) => largest) },
      { name: `CLS of ${name}`, digits: 3, goal: atMost(0.02), values: seen.map(({ shift }) => shift) },
    )
  }
  return figures
}
