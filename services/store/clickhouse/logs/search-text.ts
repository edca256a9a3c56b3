/** Folds letter case, and letters composed of several code points. */
export const foldText = (text: string): string => text.toLowerCase().normalize('NFC')

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Text with its JSON escapes replaced. Many clients escape every character that is not ASCII. */
export const unescapeJson = (text: string): string =>
  text.replace(/\\(?:u([\dA-Fa-f]{4})|(["\\/bfnrt]))/g, (_escape, code: string | undefined, letter: string) =>
    code === undefined ? (controls[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
