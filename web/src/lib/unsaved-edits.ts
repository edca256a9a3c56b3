import { createStore } from './store.ts'

type Question = { promise: Promise<boolean>; resolve: (discard: boolean) => void }

/** The open question whether edits may be discarded; `null`: none. */
export const discardQuestion = createStore<Question | null>(null)

const edited = new Set<symbol>()

/** Records that a screen has unsaved edits. Returns how to end that. */
export function noteUnsavedEdits(): () => void {
  const id = Symbol('edits')
  edited.add(id)
  return () => void edited.delete(id)
}

export const hasUnsavedEdits = () => edited.size > 0

/** Asks whether edits may be discarded. */
export function confirmDiscard(): Promise<boolean> {
  const question = discardQuestion.read() ?? Promise.withResolvers<boolean>()
  discardQuestion.write(question)
  return question.promise
}

export function endDiscardQuestion(discard: boolean) {
  discardQuestion.read()?.resolve(discard)
  discardQuestion.write(null)
}
