import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes an empty folder. @param atEnd runs the removal; outside a test: `afterAll` */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
