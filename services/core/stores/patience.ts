import { minute, second } from '../units.ts'

/** Timeouts of Postgres and ClickHouse, ms; `maintenance` is for changes and copies of whole tables. */
export const storePatienceMs = { service: 30 * second, maintenance: 30 * minute }
