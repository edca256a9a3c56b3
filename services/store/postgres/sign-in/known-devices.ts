import type { Transaction } from '#core/stores/postgres.ts'

/** An account keeps those that were seen most recently. */
const maxDevices = 200

interface Device {
  device: string
  /** The part of the client address that usually stays the same. */
  network: string
}

/** Call it in the transaction of the sign-in. @returns true if the account was seen before on this device and network */
export async function seeDevice(tx: Transaction, accountId: string, { device, network }: Device): Promise<boolean> {
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
      order by last_seen_at desc limit ${maxDevices})`
  return added.count === 0
}
