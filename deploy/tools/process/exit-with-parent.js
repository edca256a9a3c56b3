import process from 'node:process'
import { stackStopMs } from './stop-time.ts'

/**
 * Loaded with `--import` before a script that was started with an IPC channel. When the parent is gone (even by `kill
 * -9`), the channel closes and the script is asked to stop; after the limit it is killed.
 */
const limitMs = stackStopMs(process.env)

if (process.channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), limitMs).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  process.channel.unref()
}
