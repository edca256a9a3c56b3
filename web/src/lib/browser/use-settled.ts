import { useEffect, useState } from 'react'

/** A value once it has been the same for some time, so that there is no call for each keystroke. */
export function useSettled<Value extends string | undefined>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
