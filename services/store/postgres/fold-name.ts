/** Spellings that read the same become one: compatibility forms and case are folded. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()
