/** Quotes a text as one word of a POSIX shell. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
