/** The values typed into a form, by field. Never a secret. */
type FormDraft = Record<string, unknown>

const open = new Map<string, () => FormDraft>()
let restored: Record<string, FormDraft> = {}

/** Offers a form's typed values under the form's name. @returns a function that ends that */
export function offerDraft(name: string, read: () => FormDraft): () => void {
  open.set(name, read)
  return () => void open.delete(name)
}

export const collectDrafts = () => Object.fromEntries([...open].map(([name, read]) => [name, read()]))

/** Keeps drafts until their forms are shown. */
export function restoreDrafts(drafts: Record<string, FormDraft>) {
  restored = drafts
}

/** The draft of a form that is shown again. */
export function takeDraft(name: string): FormDraft | undefined {
  const { [name]: draft, ...rest } = restored
  restored = rest
  return draft
}
