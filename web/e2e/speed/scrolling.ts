import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { logSummary } from '../support/samples.ts'
import { openPage } from '../support/assertions.ts'
import { type Bench, type Phase, atLeast } from './phase.ts'

const tailed = 10_000
const scrollMs = 2_000
const frameMs = 1_000 / 60

declare global {
  interface Window {
    frameTimes: number[]
  }
}

/** Scrolls a full live tail by wheel, and a bare page of the same height to show what the machine can do. */
export const measureScrolling: Phase = async (bench) => {
  const context = await bench.open('analyst')
  const page = await context.newPage()
  await openTail(bench, page)
  const tail = await scroll(page, bench.runs)
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: barePage }))
  await page.goto(`${bench.url}/bare`)
  const bare = await scroll(page, bench.runs)
  await context.close()
  return [
    {
      name: `frames/s, ${tailed.toLocaleString('en')} tailed rows`,
      digits: 1,
      goal: atLeast(60),
      values: tail.perSecond,
    },
    { name: 'frames dropped of those, %', digits: 1, values: tail.dropped },
    { name: 'frames/s, a bare page', digits: 1, values: bare.perSecond },
    { name: 'frames dropped of those, %', digits: 1, values: bare.dropped },
  ]
}

const barePage = `<!doctype html><div style="height: 800px; overflow: auto">
  <div style="height: ${tailed * 36}px; background: repeating-linear-gradient(#fff 0 35px, #ddd 35px 36px)"></div></div>`

async function openTail({ url }: Bench, page: Page) {
  await page.route('**/api/logs/tail?*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `retry: 600000\n\n${tailEvents()}` }),
  )
  await openPage(page, `${url}/request-logs?live=true`)
  await page.getByText(`${tailed.toLocaleString('en')} requests since the tail began`).waitFor()
}

const tailEvents = () =>
  Array.from({ length: tailed }, (_, index) => {
    const log = { ...logSummary(index % 20 === 0 ? 429 : 200, 'POST'), responseTime: 200 + (index % 900) }
    return `event: log\ndata: ${JSON.stringify(log)}\n\n`
  }).join('')

/** Scrolls down and up in turn. @returns frames per second, and dropped frames in percent of those due */
async function scroll(page: Page, runs: number) {
  const perSecond: number[] = []
  const dropped: number[] = []
  await page.mouse.move(700, 600)
  for (let run = 0; run < runs; run += 1) {
    await page.evaluate(() => {
      const times: number[] = []
      window.frameTimes = times
      const record = (at: number) => {
        times.push(at)
        if (window.frameTimes === times) requestAnimationFrame(record)
      }
      requestAnimationFrame(record)
    })
    const direction = run % 2 === 0 ? 1 : -1
    const end = performance.now() + scrollMs
    while (performance.now() < end) await Promise.all([page.mouse.wheel(0, direction * 120), sleep(frameMs)])
    const frames = await page.evaluate(() => {
      const { frameTimes } = window
      window.frameTimes = []
      return frameTimes
    })
    const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at))
    const missed = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frameMs) - 1), 0)
    perSecond.push((gaps.length * 1_000) / gaps.reduce((sum, gap) => sum + gap, 0))
    dropped.push((100 * missed) / (gaps.length + missed))
  }
  return { perSecond, dropped }
}
