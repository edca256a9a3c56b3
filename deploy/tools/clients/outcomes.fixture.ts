import { expect } from 'vitest'

/** The text of a stream. */
export async function textOf<Chunk>(chunks: AsyncIterable<Chunk>, read: (chunk: Chunk) => unknown): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += read(chunk) ?? ''
  return text
}

/** The error of a call that must fail. */
export const errorOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
