import { v7 as uuidv7 } from 'uuid'
import { Problem } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { User } from '#schemas/account.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { type AuditSource, recordAudit } from '#store/postgres/audit.ts'
import { changeAccount } from '#store/postgres/change-account.ts'
import { rememberDevice } from './device-cookies.ts'
import { hasRows } from '../require-row.ts'
import { userColumns } from '../user-columns.ts'
import type { SignedIn } from './signed-in.ts'

/** A session ends after `idleSeconds` without a request, and after `absoluteSeconds` at the latest. */
const idleSeconds = 7 * 24 * 3_600
const absoluteSeconds = 30 * 24 * 3_600

const sessionsPerAccount = 50

const confirmedSeconds = 15 * 60

/** An account keeps the devices that were seen most recently. */
const knownDevices = 200

export interface NewSession extends AuditSource {
  idHash: Buffer
  device: string
  /** The part of the client address that usually stays the same. */
  network: string
  /** Last confirmation of the password and, if needed, of a two-factor code; default: now. */
  confirmedAt?: Date
  deviceHash: Buffer
}

interface SessionRow extends AuditSource {
  id: string
  device: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export type SessionStore = ReturnType<typeof createSessionStore>

export const createSessionStore = (sql: Sql, invalidate: Invalidate) => ({
  absoluteSeconds,

  /**
   * The audit entry shows whether the account was seen before on this device and network.
   * @param passwordHash of the password that was checked
   * @throws Problem `conflict` if the password was changed or the account disabled since
   */
  create: (accountId: string, passwordHash: string, session: NewSession): Promise<void> =>
    sql.begin(async (tx) => {
      // Locks the account, so that a change of the password also ends this session, and sign-ins can't exceed the limit.
      const current = await tx`
        select 1 from accounts
        where id = ${accountId} and password_hash = ${passwordHash} and disabled_at is null for no key update`
      if (current.count === 0) throw new Problem('conflict')
      const isKnown = await insertSession(tx, accountId, session)
      await recordAudit(tx, accountId, isKnown ? 'signed-in' : 'signed-in-from-new-device', session.device, session)
    }),

  /** Takes no account id, because the cookie identifies it. Marks the session as used, at most once a minute. */
  async resolve(idHash: Buffer): Promise<SignedIn | undefined> {
    const [row] = await sql<(User & { sessionId: string; isConfirmed: boolean; isStale: boolean })[]>`
      select ${userColumns(sql)}, s.id as "sessionId", s.confirmed_at > now() - ${confirmedSeconds} * interval '1 second' as "isConfirmed",
        s.last_seen_at < now() - interval '1 minute' as "isStale"
      from sessions s join accounts on accounts.id = s.account_id
      where s.id_hash = ${idHash} and accounts.disabled_at is null and ${isSessionValid(sql)}`
    if (!row) return undefined
    const { sessionId, isConfirmed, isStale, ...user } = row
    if (isStale) await sql`update sessions set last_seen_at = now() where id_hash = ${idHash}`
    return { user, credential: { kind: 'session', id: sessionId }, isConfirmed }
  },

  async confirm(accountId: string, id: string): Promise<void> {
    await sql`update sessions set confirmed_at = now() where account_id = ${accountId} and id = ${id}`
  },

  /** True if the session is still valid. The check does not count as use. */
  isLive: (accountId: string, id: string): Promise<boolean> =>
    hasRows(sql`
      select from sessions s join accounts a on a.id = s.account_id
      where s.account_id = ${accountId} and s.id = ${id} and a.disabled_at is null and ${isSessionValid(sql)}`),

  list: (accountId: string): Promise<SessionRow[]> => sql<SessionRow[]>`
    select s.id, s.device, s.client_address as "clientAddress", s.user_agent as "userAgent",
      s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from sessions s where s.account_id = ${accountId} and ${isSessionValid(sql)} order by s.last_seen_at desc, s.id desc`,

  end: (accountId: string, id: string, action: 'signed-out' | 'session-ended', by: AuditSource): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await holdAccount(tx, accountId)
      const [ended] = await tx<{ device: string }[]>`
        delete from sessions where account_id = ${accountId} and id = ${id} returning device`
      if (ended) await recordAudit(tx, accountId, action, ended.device, by)
      return ended !== undefined
    }),

  endOthers: (accountId: string, keptId: string, by: AuditSource): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await holdAccount(tx, accountId)
      const ended = await tx<{ device: string }[]>`
        delete from sessions where account_id = ${accountId} and id <> ${keptId} returning device`
      for (const { device } of ended) await recordAudit(tx, accountId, 'session-ended', device, by)
    }),
})

/** As the entry in the audit history will. Changes of the account also lock it before a session: no deadlock follows. */
const holdAccount = (tx: Transaction, accountId: string) =>
  tx`select 1 from accounts where id = ${accountId} for key share`

/**
 * Locks the session of a change, so that what ends it comes before the change or undoes it.
 * @throws Problem `unauthorized` if it has ended
 */
export async function holdSession(tx: Transaction, accountId: string, { sessionId }: AuditSource): Promise<void> {
  if (sessionId === undefined) return
  await holdAccount(tx, accountId)
  const held = await tx`
    select 1 from sessions where account_id = ${accountId} and id = ${sessionId} for key share`
  if (held.count === 0) throw new Problem('unauthorized')
}

/** @returns true if the account was seen before on this device and network */
export async function insertSession(tx: Transaction, accountId: string, session: NewSession): Promise<boolean> {
  await tx`delete from sessions s where s.account_id = ${accountId} and not (${isSessionValid(tx)})`
  const ended = await tx<{ device: string }[]>`
    delete from sessions where account_id = ${accountId} and id in (
      select id from sessions where account_id = ${accountId} order by created_at desc, id desc
      offset ${sessionsPerAccount - 1}
    ) returning device`
  for (const { device } of ended) await recordAudit(tx, accountId, 'session-ended', device, session)
  await tx`
    insert into sessions (id, id_hash, account_id, expires_at, device, client_address, user_agent, confirmed_at)
    values (${uuidv7()}, ${session.idHash}, ${accountId}, now() + ${absoluteSeconds} * interval '1 second', ${session.device},
      ${session.clientAddress}, ${session.userAgent}, coalesce(${session.confirmedAt ?? null}, now()))`
  await rememberDevice(tx, accountId, session.deviceHash)
  return seeDevice(tx, accountId, session)
}

/** @returns true if the account was seen before on this device and network */
async function seeDevice(tx: Transaction, accountId: string, { device, network }: NewSession): Promise<boolean> {
  const known = await tx`
    update known_devices set last_seen_at = now()
    where account_id = ${accountId} and device = ${device} and network = ${network}`
  if (known.count > 0) return true
  const added = await tx`
    insert into known_devices (account_id, device, network) values (${accountId}, ${device}, ${network})
    on conflict do nothing`
  await tx`
    delete from known_devices where account_id = ${accountId} and (device, network) not in (
      select device, network from known_devices where account_id = ${accountId}
      order by last_seen_at desc limit ${knownDevices})`
  return added.count === 0
}

/** Condition on a session `s`: neither idle for too long nor too old. */
export const isSessionValid = (sql: Sql | Transaction) => sql`
  s.expires_at > now() and s.last_seen_at > now() - ${idleSeconds} * interval '1 second'`
