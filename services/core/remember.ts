const maxEntries = 1_000
const longestKey = 256

/** Caches a function's results for strings that repeat from one request to the next. */
export function remember<Value>(compute: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const value = known.get(key)
    if (value !== undefined || key.length > longestKey) return value ?? compute(key)
    if (known.size === maxEntries) known.clear()
    const computed = compute(key)
    known.set(key, computed)
    return computed
  }
}
