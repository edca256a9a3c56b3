const colon = /\s*:/y

/**
 * Names of the members of a JSON object in the order in which they stand there, repeated ones included: what
 * `JSON.parse` does not tell.
 * @param json an object that `JSON.parse` has read without complaint
 */
export function topLevelNames(json: string): string[] {
  const names: string[] = []
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '"') {
      const end = stringEnd(json, at)
      colon.lastIndex = end
      if (depth === 1 && colon.test(json)) names.push(String(JSON.parse(json.slice(at, end))))
      at = end - 1
    }
  }
  return names
}

/** Position after the string that begins here. A quote behind an odd number of backslashes does not end it. */
function stringEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return json.length
}
