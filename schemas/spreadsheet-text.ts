/** Spreadsheets would run these cells as formulas; Japanese ones also know the full-width characters. */
const formula = /^[=+\-@\t\r\0＝＋－＠]/

/** Text of a CSV cell, with an apostrophe where spreadsheets would otherwise run it as a formula. */
export const spreadsheetText = (text: string) =>
  formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text
