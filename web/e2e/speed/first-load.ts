import { type Phase, atMost } from './phase.ts'

const pages = [
  { name: '/ signed out', as: 'guest', path: '/' },
  { name: '/auth', as: 'guest', path: '/auth' },
  { name: 'Dashboard', as: 'analyst', path: '/' },
] as const

/** Time after which a first load is complete, ms. */
const loadMs = 1_500

type Vitals = { largest: number; shift: number }

declare global {
  interface Window {
    vitals: Vitals
  }
}

/** Measures what Chromium reports about a page's first load. */
export const measureFirstLoad: Phase = async ({ url, runs, open }) => {
  const figures = []
  for (const { name, as, path } of pages) {
    const seen: Vitals[] = []
    for (let run = 0; run < runs; run += 1) {
      const context = await open(as)
      const page = await context.newPage()
      await page.addInitScript(() => {
        window.vitals = { largest: 0, shift: 0 }
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if ('value' in entry && typeof entry.value === 'number') window.vitals.shift += entry.value
            else window.vitals.largest = entry.startTime
          }
        })
        for (const type of ['largest-contentful-paint', 'layout-shift']) observer.observe({ type, buffered: true })
      })
      await page.goto(url + path)
      await page.waitForTimeout(loadMs)
      seen.push(await page.evaluate(() => window.vitals))
      await context.close()
    }
    figures.push(
      { name: `LCP of ${name}, ms`, digits: 0, goal: atMost(1_500), values: seen.map(({ largest }) => largest) },
      { name: `CLS of ${name}`, digits: 3, goal: atMost(0.02), values: seen.map(({ shift }) => shift) },
    )
  }
  return figures
}
