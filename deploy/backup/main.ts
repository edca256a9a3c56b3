/** `npm run backup -- <folder>` and `npm run restore -- <folder>`, for what the embedded stack keeps in DATA_DIR. */
import { readSettings } from '#deploy/embedded/settings.ts'
import { StartFailure } from '#deploy/embedded/start-failure.ts'
import { backUpDataDir, restoreDataDir } from './data-dir.ts'

const [action, folder] = process.argv.slice(2)
try {
  const { dataDir } = readSettings()
  if (!folder || (action !== 'backup' && action !== 'restore')) {
    throw new StartFailure('Usage: npm run backup -- <folder>, npm run restore -- <folder>')
  }
  await (action === 'backup' ? backUpDataDir(dataDir, folder) : restoreDataDir(folder, dataDir))
  console.log(action === 'backup' ? `${dataDir} is in ${folder}, secrets included.` : `${dataDir} is as in ${folder}.`)
} catch (error) {
  if (!(error instanceof StartFailure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
