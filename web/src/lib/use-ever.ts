import { useState } from 'react'

/** Whether the condition was true in this render or an earlier one, as for a dialog that is loaded when it first opens. */
export function useEver(condition: boolean) {
  const [wasTrue, setWasTrue] = useState(condition)
  if (condition && !wasTrue) setWasTrue(true)
  return wasTrue
}
