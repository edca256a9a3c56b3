import { isUtf8 } from 'node:buffer'

/** A header that Node read as Latin-1, or JSON of several, where its bytes that are UTF-8 are read as such. */
export const headerText = (latin1: string): string =>
  latin1.replace(/[\x80-\xff]+/g, (run) => {
    const bytes = Buffer.from(run, 'latin1')
    return isUtf8(bytes) ? bytes.toString() : run
  })
