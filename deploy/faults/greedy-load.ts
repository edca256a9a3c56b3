/** `greedy-load.ts <url> <token>`: one account's load until it is told to stop; what is measured beside it does no part of it. */
import process from 'node:process'
import { Load } from './load.ts'

const [url = '', token = ''] = process.argv.slice(2)
const load = new Load({ url, token, rate: 500, name: 'row28-greedy', connections: 2_000 })
process.once('SIGTERM', () => void load.abandon())
