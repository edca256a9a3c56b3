import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** When printing began, ms since 1970; undefined while nothing is printed. */
export function usePrintedAt(): number | undefined {
  const [printedAt, setPrintedAt] = useState<number>()
  useEffect(() => {
    const begin = () => flushSync(() => setPrintedAt(Date.now()))
    const end = () => setPrintedAt(undefined)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printedAt
}
