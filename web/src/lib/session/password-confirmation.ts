import { createStore } from '../store.ts'

type Question = { promise: Promise<boolean>; resolve: (isConfirmed: boolean) => void }

/** The password that the dialog asks for; `null`: no call waits for one. */
export const passwordQuestion = createStore<Question | null>(null)

/** Opens the dialog that asks for the password; calls that come meanwhile wait for the same one. */
export function askForPassword(): Promise<boolean> {
  const question = passwordQuestion.read() ?? Promise.withResolvers<boolean>()
  passwordQuestion.write(question)
  return question.promise
}

/** @param isConfirmed false: given up */
export function endPasswordQuestion(isConfirmed: boolean) {
  passwordQuestion.read()?.resolve(isConfirmed)
  passwordQuestion.write(null)
}
