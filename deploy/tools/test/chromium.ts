import { findCommand } from '#tools/process/find-command.ts'
import type { Supervisor } from '#tools/process/supervisor.ts'
import { findOrInstall } from '#tools/process/system-package.ts'

// The headless shell comes first, because it uses less than half of the full browser's CPU time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApplications = ['/Applications/Chromium.app/Contents/MacOS', '/Applications/Google Chrome.app/Contents/MacOS']

const packages = { apt: 'chromium-headless-shell', dnf: 'chromium', apk: 'chromium', brew: '--cask chromium' }

/** Finds Chromium or Chrome, or installs it. @returns the path of the program */
export const findChromium = (run: Supervisor['run']): Promise<string> =>
  findOrInstall('Chromium', locate, packages, run)

const locate = () => findCommand(names) ?? findCommand(['Chromium', 'Google Chrome'], macApplications)

/** Chromium's sandbox does not run as root, and test machines have no GPU. */
export const chromiumArguments = ['--no-sandbox', '--disable-gpu']
