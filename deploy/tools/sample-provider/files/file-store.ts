import { randomBytes } from 'node:crypto'
import { ProviderError } from '#tools/sample-provider/errors.ts'

const maxFiles = 10_000

export interface StoredFile {
  id: string
  object: 'file'
  bytes: number
  created_at: number
  expires_at: null
  filename: string
  purpose: string
  status: 'processed'
  status_details: null
}

/** Files in memory, at most `maxBytes` of them together. `now` is in ms. */
export const createFileStore = (maxBytes: number, now: () => number) => {
  const files = new Map<string, { file: StoredFile; data: Buffer }>()
  let storedBytes = 0

  const find = (id: string) => {
    const entry = files.get(id)
    if (entry) return entry
    throw new ProviderError(404, `No such File object: ${id}`, { param: 'id' })
  }

  return {
    add: (filename: string, purpose: string, data: Buffer): StoredFile => {
      if (files.size >= maxFiles || storedBytes + data.length > maxBytes) {
        throw new ProviderError(400, 'The sample provider holds no more files. Delete some.', { param: 'file' })
      }
      const file: StoredFile = {
        id: `file-${randomBytes(12).toString('hex')}`,
        object: 'file',
        bytes: data.length,
        created_at: Math.floor(now() / 1_000),
        expires_at: null,
        filename,
        purpose,
        status: 'processed',
        status_details: null,
      }
      files.set(file.id, { file, data })
      storedBytes += data.length
      return file
    },
    list: (): StoredFile[] => Array.from(files.values(), ({ file }) => file),
    get: (id: string): StoredFile => find(id).file,
    read: (id: string): Buffer => find(id).data,
    remove: (id: string): void => {
      storedBytes -= find(id).data.length
      files.delete(id)
    },
  }
}
export type FileStore = ReturnType<typeof createFileStore>
