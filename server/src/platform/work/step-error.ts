import { sqlState } from '../database/errors.ts'

const charactersMax = 200

/**
 * What is kept of an error on the row whose step it ended: enough to know it again, nothing that somebody typed. Of the database that
 * is its code and the rule that was broken, of the network its code; only our own errors' words are ours.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  return shownOf(error).slice(0, charactersMax)
}

function shownOf(error: Error): string {
  const state = sqlState(error)
  if (state !== null) return ['database', state, ruleOf(error)].filter((part) => part !== '').join(' ')
  if ('code' in error && typeof error.code === 'string') return `${error.name} ${error.code}`
  // Words in quotes, numbers, addresses and whatever is long enough to be a key may have come from outside.
  const words = error.message.replaceAll(/"[^"]*"|'[^']*'|\d{6,}|\S+@\S+|\S{40,}/g, '…')
  return words === '' ? error.name : `${error.name}: ${words}`
}

function ruleOf(error: Error): string {
  for (const name of ['constraint', 'column', 'table'] as const) {
    const rule: unknown = Reflect.get(error, name)
    if (typeof rule === 'string' && rule !== '') return rule
  }
  return ''
}
