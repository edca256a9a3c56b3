import { createServer, type Server } from 'node:net'

/** Whatever it is asked, its answer is that of the limit script: one request is granted. */
const granted = [1, 0, 1, 60_000, 1, 0]
const reply = `*${granted.length}\r\n${granted.map((value) => `:${value}\r\n`).join('')}`

/** Each command begins with the number of its words. */
const beginning = /\*\d+\r\n\$/g

/** As much of a Redis as the limiter needs to be answered. */
export const createStandInRedis = (): Server =>
  createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      const commands = chunk.toString('latin1').match(beginning)?.length ?? 0
      socket.write(reply.repeat(commands))
    })
  })
