import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { findChromium } from '#tools/test/chromium.ts'
import { addOperator } from '#tools/stack/operator.ts'
import { startStack } from '#tools/stack/launched-stack.ts'
import { createAccounts } from './accounts.ts'
import { openScreen } from './open-screen.ts'
import { screens, sizes, themes } from './screens.ts'

const folder = join(import.meta.dirname, '../../screenshots')

/** Names of screens may be given, to take only these. */
const [, , ...names] = process.argv
const wanted = names.length === 0 ? screens : screens.filter(({ name }) => names.includes(name))

await mkdir(folder, { recursive: true })
const provider = createProvider()
await provider.listen({ host: '127.0.0.1', port: 0 })
const { port } = provider.server.address() as AddressInfo
const stack = await startStack({ env: { PROVIDER_BASE_URL: `http://127.0.0.1:${port}` } })
await addOperator(stack)
const browser = await chromium.launch({
  executablePath: await findChromium(createSupervisor().run),
  // Chromium's own sandbox refuses to run as root.
  chromiumSandbox: userInfo().uid !== 0,
})
try {
  const accounts = await createAccounts(browser, stack.url)
  for (const screen of wanted) {
    for (const size of ['wide', 'narrow'] as const) {
      await openScreen(browser, stack.url, accounts, screen, size, async (page, theme) => {
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        const isDialog = (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0
        // A window as high as the page, so that what stands fixed stands where it belongs.
        if (!isDialog) await page.setViewportSize({ ...sizes[size], height: Math.max(height, sizes[size].height) })
        await page.screenshot({ path: join(folder, `${screen.name}-${size}-${theme}.png`) })
      })
    }
    console.log(screen.name)
  }
  console.log(`${wanted.length * themes.length * 2} screenshots are in ${folder}`)
} finally {
  await browser.close()
  await stack.stop()
  await provider.close()
}
