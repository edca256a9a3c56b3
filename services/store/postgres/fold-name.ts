/** Folds case and compatibility forms, so that names that differ only in these are equal. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()
