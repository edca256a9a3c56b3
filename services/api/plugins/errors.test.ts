import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { errorHandler } from './errors.ts'

const networkErrors = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
const postgresErrors = ['57P01', '57P02', '57P03', '53300', '53100', '53200', '25006']

test.each([...networkErrors, ...postgresErrors])(
  'a store that is unavailable with %s is a 503 that may be tried again',
  async (code) => {
    const app = Fastify()
    await app.register(errorHandler)
    app.get('/', () => Promise.reject(Object.assign(new Error('down'), { code })))
    const { statusCode, headers } = await app.inject('/')
    expect([statusCode, headers['retry-after']]).toEqual([503, '1'])
  },
)
