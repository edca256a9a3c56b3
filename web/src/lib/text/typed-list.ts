import { joinList, splitList } from '#schemas/list-text.ts'

/** The values of a list in a field; a backslash before a comma makes it part of its value. */
export const readTypedList = (text: string): string[] =>
  splitList(text)
    .map((value) => value.trim())
    .filter(Boolean)

export const toTypedList = (values: readonly string[]): string => joinList(values, ', ')
