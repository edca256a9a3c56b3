import { expect, test } from 'vitest'
import { shareByPart } from './profile-by-part.ts'

const frame = (functionName: string, url = '') => ({ functionName, url })

test('time of a library counts for the part that calls it, idle time for none', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4] },
    { id: 2, callFrame: frame('(idle)'), children: [] },
    { id: 3, callFrame: frame('authenticate', 'file:///app/services/proxy/auth/authenticate.ts'), children: [5, 6] },
    { id: 4, callFrame: frame('nextTick', 'node:internal/process/task_queues'), children: [] },
    { id: 5, callFrame: frame('get', 'file:///app/node_modules/lru-cache/index.js'), children: [] },
    { id: 6, callFrame: frame('dispatch', 'file:///app/node_modules/undici/lib/client.js'), children: [7] },
    { id: 7, callFrame: frame('writev'), children: [] },
  ]
  const profile = {
    nodes,
    samples: [2, 3, 5, 6, 7, 4],
    timeDeltas: [1_000, 10, 20, 30, 15, 25],
  }
  expect(Object.fromEntries(shareByPart(profile))).toEqual({
    'proxy/auth': 0.3,
    undici: 0.3,
    'writes to sockets and files': 0.15,
    'event loop, streams, timers': 0.25,
  })
})
