// zod asks whether it may use eval, and the content security policy reports the question as a violation.
// This has to be there before any chunk that makes a schema, in whatever order they load.
globalThis['__zod_globalConfig'] = { jitless: true }
