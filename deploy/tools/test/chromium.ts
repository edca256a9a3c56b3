import { findCommand } from '#tools/process/find-command.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import type { Supervisor } from '#tools/process/supervisor.ts'
import { installSystemPackage } from '#tools/process/system-package.ts'

// The headless shell comes first, because it uses less than half of the full browser's CPU time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApplications = ['/Applications/Chromium.app/Contents/MacOS', '/Applications/Google Chrome.app/Contents/MacOS']

/**
 * Finds Chromium or Chrome, or installs it.
 * @returns the path of the program
 */
export async function findChromium(run: Supervisor['run']): Promise<string> {
  const installed = locate()
  if (installed) return installed
  const packages = {
    apt: 'chromium-headless-shell',
    dnf: 'chromium',
    apk: 'chromium',
    brew: '--cask chromium',
  }
  await installSystemPackage('Chromium', packages, run)
  const program = locate()
  if (!program) throw new StartFailure('Chromium was installed, but it is not on the PATH.')
  return program
}

const locate = () => findCommand(names) ?? findCommand(['Chromium', 'Google Chrome'], macApplications)

/** Chromium's sandbox does not run as root, and test machines have no GPU. */
export const chromiumArguments = ['--no-sandbox', '--disable-gpu']
