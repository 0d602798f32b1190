import { sqlState } from '../database/errors.ts'

const charactersMax = 200

/**
 * What is kept of an error on the row whose step it ended: enough to recognize it, and nothing that a person typed. Of a database error
 * that is its code and the rule that was broken, of a network error its code; only our own errors keep their words.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  return shownOf(error).slice(0, charactersMax)
}

function shownOf(error: Error): string {
  const state = sqlState(error)
  if (state !== null) return ['database', state, ruleOf(error)].filter((part) => part !== '').join(' ')
  if ('code' in error && typeof error.code === 'string') return `${error.name} ${error.code}`
  // Words in quotes, numbers, addresses and texts long enough to be a key may come from outside.
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
