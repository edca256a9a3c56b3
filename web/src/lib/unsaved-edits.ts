import { useEffect } from 'react'

const edited = new Set<symbol>()

/** While a part of the screen has unsaved edits, a question comes before whatever discards them. */
export function useUnsavedEdits(areThere: boolean) {
  useEffect(() => {
    if (!areThere) return
    const id = Symbol('edits')
    edited.add(id)
    return () => void edited.delete(id)
  }, [areThere])
}

export const hasUnsavedEdits = () => edited.size > 0
