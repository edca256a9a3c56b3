const actions = ['list', 'show', 'replay', 'drop'] as const

export interface DeadLetterCommand {
  action: (typeof actions)[number]
  ids: string[]
}

const usage = `Usage: npm run dead-letters -- <command>
  list         what could not be stored, oldest first
  show ID      one of them with its events and what is wrong with each
  replay ID…   send them through the pipeline again
  drop ID…     give them up for good`

/** @returns the command, or how it has to be written */
export function readDeadLetterCommand([name, ...ids]: string[]): DeadLetterCommand | string {
  const action = actions.find((each) => each === name)
  if (!action || (action === 'list') !== (ids.length === 0)) return usage
  return { action, ids }
}
