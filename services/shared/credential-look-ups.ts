import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'

/** Look-ups that run or wait, of one client and of all. Anyone can send unknown credentials. */
const limits = { account: 1_000, process: 4_000 }

/** Looks up credentials in turn by client. Leaves connections to Postgres for everything else. */
export const createCredentialLookUps = () => new FairQueue({ limit: new SharedLimit(limits), perAccount: 2, atOnce: 6 })
