/**
 * Loaded into a measured process before its own code: profiles it from a SIGWINCH until it exits. `node --cpu-prof` profiles
 * from the start, which makes optimized code slower.
 */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const file = new URL(import.meta.url).searchParams.get('file') ?? 'profile.cpuprofile'

process.once('SIGWINCH', () => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.start')
  // Calls back at once, because the session is in this thread.
  process.once('exit', () =>
    session.post('Profiler.stop', (_error, { profile }) => writeFileSync(file, JSON.stringify(profile))),
  )
})
