import { useState } from 'react'
import type { z } from 'zod'
import { readStored, writeStored } from './stored.ts'

/** State that outlives the page in this browser. `fallback` must not change between renders. */
export function useStored<T extends z.ZodType>(key: string, schema: T, fallback: z.output<T>) {
  const [value, setValue] = useState(() => readStored(key, schema, fallback))
  function store(next: z.output<T>) {
    setValue(next)
    writeStored(key, next)
  }
  return [value, store] as const
}
