import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const format = 1
const ivBytes = 12
const keyBytes = 32
const tagBytes = 16
const boxOverhead = ivBytes + tagBytes

/** A secret is bound to its context, and can't be decrypted in any other. */
export interface SecretContext {
  accountId: string
  recordId: string
  field: string
}

export type Vault = ReturnType<typeof createVault>

/**
 * Envelope encryption, AES-256-GCM: each secret has its own data key, wrapped with a master key. Layout: format (1
 * byte), master key version (1), wrapped data key (60), secret (28 + length).
 * @param masterKeys by version: the last one seals, any of them decrypts
 * @param lost versions that the operator no longer has
 */
export function createVault(masterKeys: ReadonlyMap<number, Uint8Array>, lost: ReadonlySet<number> = new Set()) {
  const sealingVersion = [...masterKeys.keys()].at(-1)
  if (sealingVersion === undefined) throw new Error('there is no master key')
  const masterKey = (version: number) => {
    const key = masterKeys.get(version)
    if (!key) throw new Error(`master key ${version} is not configured`)
    return key
  }

  function unwrap(bytes: Buffer, bound: Uint8Array): { dataKey: Buffer; secretAt: number } {
    if (bytes[0] !== format) throw new Error('unknown format of a sealed secret')
    const secretAt = 2 + keyBytes + boxOverhead
    return { dataKey: unbox(bytes.subarray(2, secretAt), masterKey(bytes[1] ?? 0), bound), secretAt }
  }

  const wrap = (dataKey: Buffer, bound: Uint8Array) =>
    Buffer.concat([Buffer.from([format, sealingVersion]), box(dataKey, masterKey(sealingVersion), bound)])

  return {
    sealingVersion,
    seal(secret: string, context: SecretContext): Buffer {
      const dataKey = randomBytes(keyBytes)
      const bound = associatedData(context)
      return Buffer.concat([wrap(dataKey, bound), box(Buffer.from(secret), dataKey, bound)])
    },
    /** @throws Error if the bytes were changed, moved to another record or sealed with an unknown master key */
    open(sealed: Uint8Array, context: SecretContext): string {
      const bytes = Buffer.from(sealed)
      const bound = associatedData(context)
      const { dataKey, secretAt } = unwrap(bytes, bound)
      return unbox(bytes.subarray(secretAt), dataKey, bound).toString()
    },
    /** True if the master key is lost, so that the secret can never be opened again. */
    isLost: (sealed: Uint8Array): boolean => lost.has(sealed[1] ?? 0),
    /** Wraps the data key with the sealing master key. @throws Error like `open`, but not for a damaged secret */
    rewrap(sealed: Uint8Array, context: SecretContext): Buffer {
      const bytes = Buffer.from(sealed)
      const bound = associatedData(context)
      const { dataKey, secretAt } = unwrap(bytes, bound)
      return Buffer.concat([wrap(dataKey, bound), bytes.subarray(secretAt)])
    },
  }
}

const associatedData = ({ accountId, recordId, field }: SecretContext) =>
  Buffer.from(JSON.stringify([accountId, recordId, field, format]))

function box(plain: Uint8Array, key: Uint8Array, bound: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(bound)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function unbox(boxed: Uint8Array, key: Uint8Array, bound: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, boxed.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(bound)
  decipher.setAuthTag(boxed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(boxed.subarray(ivBytes, -tagBytes)), decipher.final()])
}
