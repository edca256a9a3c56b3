const slots = 16_384

/** A key's Redis Cluster slot: CRC-16/XMODEM of its hash tag or of the key. Source: Redis Cluster specification. */
export function clusterSlot(key: string): number {
  const [, tag = key] = /^[^{]*\{([^}]+)\}/.exec(key) ?? []
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80_00 ? (crc << 1) ^ 0x10_21 : crc << 1) & 0xff_ff
  }
  return crc % slots
}
