export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  // TypeScript types the keys as string[], because an object may have more.
  Object.keys(record) as Key[]

export const mapValues = <Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value, key: Key) => Result,
): Record<Key, Result> =>
  Object.fromEntries(keysOf(record).map((key) => [key, map(record[key], key)])) as Record<Key, Result>
