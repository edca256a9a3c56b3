import { createStore } from '../store.ts'

type Question = { promise: Promise<boolean>; resolve: (isConfirmed: boolean) => void }

/** The open question for the password; `null`: no call waits for it. */
export const passwordQuestion = createStore<Question | null>(null)

/** Opens the dialog that asks for the password; further calls wait for the same one. */
export function askForPassword(): Promise<boolean> {
  const question = passwordQuestion.read() ?? Promise.withResolvers<boolean>()
  passwordQuestion.write(question)
  return question.promise
}

/** @param isConfirmed false: cancelled */
export function endPasswordQuestion(isConfirmed: boolean) {
  passwordQuestion.read()?.resolve(isConfirmed)
  passwordQuestion.write(null)
}
