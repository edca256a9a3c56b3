/** Folds case and compatibility forms, so that spellings that look the same are the same. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()
