import { createStore } from './store.ts'

/** A yes-or-no question that a dialog answers. While it is open, all callers wait for the same answer. */
function createQuestion() {
  const open = createStore<PromiseWithResolvers<boolean> | null>(null)
  return {
    useIsOpen: () => open.use() !== null,
    ask(): Promise<boolean> {
      const question = open.read() ?? Promise.withResolvers<boolean>()
      open.write(question)
      return question.promise
    },
    answer(isYes: boolean) {
      open.read()?.resolve(isYes)
      open.write(null)
    },
  }
}

/** Asks the user to confirm their password; cancelling answers no. */
export const passwordQuestion = createQuestion()

/** Whether unsaved edits may be discarded. */
export const discardQuestion = createQuestion()
