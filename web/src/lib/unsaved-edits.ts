const edited = new Set<symbol>()

/** Records that a screen has unsaved edits. @returns a function that ends that */
export function noteUnsavedEdits(): () => void {
  const id = Symbol('edits')
  edited.add(id)
  return () => void edited.delete(id)
}

export const hasUnsavedEdits = () => edited.size > 0
