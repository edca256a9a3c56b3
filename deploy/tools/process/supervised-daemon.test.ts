import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Child, Daemon } from './child.ts'
import { StartFailure } from './start-failure.ts'
import { superviseDaemon } from './supervised-daemon.ts'

const minuteMs = 60_000

/** Outcome of a start attempt: `late` runs but is not ready in time; `starting` never becomes ready. */
type Course = 'ready' | 'fails' | 'late' | 'starting'

/** A daemon whose start attempts follow the courses, and then succeed. Its time passes only in pauses. */
function supervise(courses: Course[], changes: Partial<Daemon> = {}) {
  const messages: string[] = []
  const pauses: number[] = []
  const children: ReturnType<typeof createFakeChild>[] = []
  const gaveUp = Promise.withResolvers<StartFailure>()
  let time = 0
  let arePausesHeld = false
  const daemon: Daemon = {
    name: 'Store',
    command: 'store',
    args: ['--port=4711'],
    ready: () => true,
    readyWithinMs: 1_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 1_000,
    ...changes,
  }
  const supervised = superviseDaemon(daemon, {
    onStarted: async () => {},
    report: (message) => messages.push(message),
    onGaveUp: gaveUp.resolve,
    launch(command) {
      expect(command).toMatchObject({ command: 'store', args: ['--port=4711'] })
      const child = createFakeChild(courses[children.length] ?? 'ready', children.length + 1)
      children.push(child)
      return child
    },
    sleep: async (ms, _value, { signal }) => {
      pauses.push(ms)
      time += ms
      if (arePausesHeld) await once(signal, 'abort')
    },
    now: () => time,
  })
  return {
    supervised,
    messages,
    pauses,
    children,
    gaveUp: gaveUp.promise,
    /** Makes pauses last until they are aborted. */
    holdPauses() {
      arePausesHeld = true
    },
    /** Ends the running child, and waits until nothing more happens. */
    async kill(aliveForMs = 0) {
      time += aliveForMs
      children.at(-1)!.end('SIGKILL')
      await nextTurn()
    },
  }
}

function createFakeChild(course: Course, pid: number) {
  const exit = Promise.withResolvers<Awaited<Child['exited']>>()
  const end = (how: string) => exit.resolve({ code: null, how, description: `Store ended (${how}). Last lines.` })
  let isStopped = false
  if (course === 'fails') end('exit code 1')
  return {
    name: 'Store',
    pid,
    exited: exit.promise,
    end,
    isStopped: () => isStopped,
    async waitUntilReady() {
      if (course === 'late') throw new StartFailure('Store is not ready after 1 s. Last lines.')
      if (course !== 'ready') throw new StartFailure((await exit.promise).description)
    },
    async stop() {
      isStopped = true
      end('SIGTERM')
      return true
    },
  }
}

test('the pauses grow while it ends again soon, and start over once it ran for a minute', async () => {
  const { supervised, kill, pauses } = supervise([])
  await supervised.start()
  for (let death = 0; death < 8; death += 1) await kill(minuteMs - 1)
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
  await kill(minuteMs)
  await kill()
  expect(pauses.slice(8)).toEqual([200, 400])
})

test('the first start is not tried again', async () => {
  const { supervised, children, messages } = supervise(['fails'])
  await expect(supervised.start()).rejects.toThrow('Store ended (exit code 1). Last lines.')
  expect(children).toHaveLength(1)
  expect(messages).toEqual([])
})

test('it gives up after five failures in a row, with the last lines of the last one', async () => {
  const { supervised, kill, gaveUp, children, pauses } = supervise([
    'ready',
    'fails',
    'late',
    'fails',
    'fails',
    'fails',
  ])
  await supervised.start()
  await kill()
  const failure = await gaveUp
  expect(failure).toBeInstanceOf(StartFailure)
  expect(failure.message).toBe('Store could not be started again in 5 attempts. Store ended (exit code 1). Last lines.')
  expect(children).toHaveLength(6)
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200])
})

test('four failures in a row are none too many, however often', async () => {
  const fourFailures: Course[] = ['fails', 'fails', 'fails', 'fails']
  const { supervised, kill, messages, children } = supervise(['ready', ...fourFailures, 'ready', ...fourFailures])
  await supervised.start()
  for (let incident = 0; incident < 2; incident += 1) {
    await kill()
    expect(messages.at(-1)).toBe('Store is running again.')
  }
  expect(children).toHaveLength(11)
  expect(messages).toContain('Store could not be started again (attempt 4 of 5).')
})

test('a child that is not ready in time is stopped before the next one starts', async () => {
  const { supervised, kill, messages, children } = supervise(['ready', 'late'])
  await supervised.start()
  await kill()
  expect(messages.at(-1)).toBe('Store is running again.')
  expect(children[1]!.isStopped()).toBe(true)
  expect(children).toHaveLength(3)
})

test('leftovers are cleared before each start and after the stop', async () => {
  let clearings = 0
  const { supervised, kill } = supervise([], { clearLeftovers: async () => void (clearings += 1) })
  await supervised.start()
  expect(clearings).toBe(1)
  await kill()
  expect(clearings).toBe(2)
  await supervised.stop()
  expect(clearings).toBe(3)
})

test('stopping it ends a pause, and nothing is started any more', async () => {
  const { supervised, kill, pauses, children, holdPauses } = supervise([])
  holdPauses()
  await supervised.start()
  await kill()
  expect(pauses).toEqual([200])
  await supervised.stop()
  expect(children).toHaveLength(1)
})

test('stopping it while leftovers are cleared prevents the start', async () => {
  const clearing = Promise.withResolvers<void>()
  let isFirst = true
  const clearLeftovers = async () => {
    if (!isFirst) await clearing.promise
    isFirst = false
  }
  const { supervised, kill, children } = supervise([], { clearLeftovers })
  await supervised.start()
  await kill()
  const stopped = supervised.stop()
  clearing.resolve()
  await stopped
  expect(children).toHaveLength(1)
})

test('stopping it while it starts again stops the new child', async () => {
  const { supervised, kill, children } = supervise(['ready', 'starting'])
  await supervised.start()
  await kill()
  await supervised.stop()
  expect(children[1]!.isStopped()).toBe(true)
  expect(children).toHaveLength(2)
})
