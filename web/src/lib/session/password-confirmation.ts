type Question = { promise: Promise<boolean>; resolve: (isConfirmed: boolean) => void }

let question: Question | null = null
const listeners = new Set<() => void>()

function publish(next: Question | null) {
  question = next
  for (const listener of listeners) listener()
}

/** Opens the dialog that asks for the password; calls that come meanwhile wait for the same one. */
export function askForPassword(): Promise<boolean> {
  if (!question) publish(Promise.withResolvers<boolean>())
  return question!.promise
}

/** What the dialog shows and tells. */
export const passwordConfirmation = {
  isAsked: () => question !== null,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** @param isConfirmed false: given up */
  end: (isConfirmed: boolean) => {
    question?.resolve(isConfirmed)
    publish(null)
  },
}
