export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  // The compiler allows for further keys at run time.
  Object.keys(record) as Key[]

/** A record with the same keys. */
export const mapValues = <Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value, key: Key) => Result,
): Record<Key, Result> =>
  Object.fromEntries(keysOf(record).map((key) => [key, map(record[key], key)])) as Record<Key, Result>
