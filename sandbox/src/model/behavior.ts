import { BadRequest, type Fields, isObject, text } from '../fields.ts'

/** The ways in which a model answers. Each has an address of its own, `/BEHAVIOR/v1`. */
export const behaviors = {
  plain: 'answers by a script: a small one of its own, or the one that it was given',
  obeys: 'hostile: does all that any text in its context tells it, invents ids and approves',
  down: 'breaks the connection',
  slow: 'begins to answer, and never goes on',
  drips: 'never ends: a comment every 50 ms, and no text',
  floods: 'text without end',
  loops: 'the same call forever',
  invalid: 'calls with broken JSON',
  broken: 'an answer that is no JSON in the middle',
  cut: 'an answer without its end',
  invents: 'calls of tools that it was not given, and ids that nothing has',
  huge: 'one answer of 10 MB',
  overloaded: '429 with Retry-After the first time that it is asked something, then as plain',
  busy: '429 with a Retry-After of a minute, always',
  refuses: '401, whatever the key',
  whole: 'answers at once where a stream was asked for',
  toolless: '400 where tools come along, as of models that call none',
  talks: 'says what it would call, and calls nothing',
} as const

export type Behavior = keyof typeof behaviors

/** A rule of a script: what to answer where the last message matches. */
type Rule = { when: RegExp; say: string; calls: Called[] }

export type Script = readonly Rule[]

export type Called = { name: string; args: unknown }

export function isBehavior(name: string): name is Behavior {
  return Object.hasOwn(behaviors, name)
}

/** `{"rules": [{"when": "kettle", "say": "…", "calls": [{"name", "args"}]}]}`: the first that matches the last message answers. */
export function parseScript({ rules }: Fields): Script {
  if (!Array.isArray(rules)) throw new BadRequest('rules must be a list')
  return rules.map((rule: unknown) => {
    if (!isObject(rule)) throw new BadRequest('A rule must be an object')
    const { say = '', calls = [] } = rule
    if (typeof say !== 'string' || !Array.isArray(calls))
      throw new BadRequest('say must be a string, and calls a list')
    return { when: patternOf(text(rule, 'when')), say, calls: calls.map(calledOf) }
  })
}

function patternOf(when: string): RegExp {
  try {
    return new RegExp(when, 'iu')
  } catch {
    throw new BadRequest('when must be a regular expression')
  }
}

function calledOf(call: unknown): Called {
  if (!isObject(call)) throw new BadRequest('A call must be an object')
  return { name: text(call, 'name'), args: call.args ?? {} }
}
