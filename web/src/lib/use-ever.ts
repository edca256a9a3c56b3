import { useState } from 'react'

/** Whether the condition is or ever was true, as for a dialog that is loaded when it first opens. */
export function useEver(condition: boolean) {
  const [wasTrue, setWasTrue] = useState(condition)
  if (condition && !wasTrue) setWasTrue(true)
  return wasTrue
}
