import {
  type Members,
  membersOf,
  NoAnswer,
  type Seen,
  type SeenTool,
  type ToolClient,
} from './tool-client.ts'

/** What a person asks the agent for: arguments by the names that people use for them, and what the person knows. */
export type Wish = { readonly say: string; readonly args: Members }

/** What a person does when the agent says something. */
export type Reaction = 'done' | 'wait' | 'cancel' | 'nothing'

type Surroundings = {
  client: ToolClient
  /** Tells the person, who answers with what they did. */
  tell: (text: string) => Promise<Reaction>
  newKey: () => string
  /** Lets the seconds pass that a refusal asks for. */
  pass: (seconds: number) => Promise<unknown>
}

/** How it ended, in the agent's last words. */
export type End = { readonly object: Members | null; readonly lastWords: string }

/** A model would not go on for ever either. */
const turnsMax = 40
const fixesMax = 3
const triesMax = 2

/**
 * An agent without a model behind it. It knows no tool, no field and no code of this product: what it does follows from the list of
 * tools, from results, and from the words of errors and summaries. It shops as a careful person would have it done: it creates once, under
 * one key, and everything after that is about the object that it created.
 */
export class ScriptedAgent {
  readonly #at: Surroundings
  #tools: SeenTool[] = []
  #turns = 0

  constructor(at: Surroundings) {
    this.#at = at
  }

  async pursue({ args }: Wish): Promise<End> {
    this.#tools = await this.#at.client.list()
    const buy = this.#tools.find((tool) => !tool.annotations.readOnlyHint && fits(tool, args))
    if (!buy) return this.#end(null, 'None of my tools can do that.')
    const created = await this.#create(buy, await this.#withFacts(buy, args))
    return created.isError ? this.#end(null, wordsOf(created)) : this.#follow(created.body)
  }

  /** Calls until there is an answer that stands: the same thing under the same key, with what errors say about arguments put right. */
  async #create(tool: SeenTool, first: Members): Promise<Seen> {
    let args = 'idempotency_key' in tool.inputSchema.properties ? withKey(first, this.#at.newKey()) : first
    for (let fixes = 0; ; fixes++) {
      const seen = await this.#call(tool, args)
      if (!seen.isError || fixes === fixesMax) return seen
      const better = await this.#mended(tool, args, seen)
      if (better) {
        args = better
        continue
      }
      // Not an agent's to fix. Somebody else may have fixed it, and then the same call is right.
      if ((await this.#at.tell(wordsOf(seen))) !== 'done') return seen
    }
  }

  /** Follows an object until it is over: waits, tells the person what only a person can do, tries again where that is said to help. */
  async #follow(created: Members): Promise<End> {
    let object = created
    let told = ''
    let failed = ''
    let tries = 0
    for (;;) {
      const words = summaryOf(object)
      if (isOver(object)) {
        const again = retryIn(words)
        if (again === null || words === failed || tries === triesMax) return this.#end(object, words)
        const isWished = again === 'at once' || (await this.#at.tell(words)) === 'done'
        const retried = isWished ? await this.#about(object, 'retry') : null
        if (!retried) return this.#end(object, words)
        if (retried.isError) return this.#end(object, wordsOf(retried))
        tries += 1
        failed = words
        object = retried.body
        continue
      }
      if (object.next_action !== null && words !== told) {
        told = words
        const reaction = await this.#at.tell(words)
        if (reaction === 'nothing') return this.#end(object, words)
        if (reaction === 'cancel') {
          const cancelled = await this.#about(object, 'cancel')
          if (cancelled?.isError === false) object = cancelled.body
          continue
        }
      }
      const read = await this.#about(object, 'get')
      if (!read) return this.#end(object, 'I cannot look how it stands.')
      if (read.isError) return this.#end(object, wordsOf(read))
      object = read.body
    }
  }

  /** Calls the tool that does this to the object, with the arguments that it takes of what is known about the object. */
  async #about(object: Members, verb: string): Promise<Seen | null> {
    const id = `${object.object}_id`
    const tool = this.#tools.find(
      ({ name, inputSchema }) =>
        name.includes(`_${verb}_${object.object}`) && isOnly(inputSchema.required, id),
    )
    if (!tool) return null
    const { properties } = tool.inputSchema
    const args: Record<string, unknown> = { [id]: object.id }
    if ('wait_seconds' in properties) args.wait_seconds = properties.wait_seconds?.maximum
    if ('after_sequence' in properties) args.after_sequence = object.sequence
    if ('idempotency_key' in properties) args.idempotency_key = this.#at.newKey()
    return this.#call(tool, args)
  }

  /** One call, made again while its answer is lost or the server asks for a moment. */
  async #call(tool: SeenTool, args: Members): Promise<Seen> {
    for (;;) {
      this.#turns += 1
      if (this.#turns > turnsMax) throw new Error(`the agent goes round in circles at ${tool.name}`)
      try {
        const seen = await this.#at.client.call(tool.name, args)
        const isBusy =
          seen.isError && membersOf(seen.body.detail).retryable === true && seen.retryAfter !== null
        if (!isBusy) return seen
        await this.#at.pass(seen.retryAfter)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
      }
    }
  }

  /** The arguments as the error says they should be; null: it says nothing that could be put right without asking. */
  async #mended(tool: SeenTool, args: Members, { body }: Seen): Promise<Members | null> {
    if (Array.isArray(body.detail)) return mendedByFaults(args, body.detail)
    const { code, param } = membersOf(body.detail)
    if (code !== 'not_found' || typeof param !== 'string' || !(param in args)) return null
    const known = await this.#only(param)
    return known !== null && known !== args[param] && param in tool.inputSchema.properties
      ? { ...args, [param]: known }
      : null
  }

  /** Required ids that nobody named are looked up, where there is only one that it can be. */
  async #withFacts({ inputSchema }: SeenTool, args: Members): Promise<Members> {
    const lacking = (inputSchema.required ?? []).filter((name) => !(name in args))
    const found = await Promise.all(lacking.map(async (name) => [name, await this.#only(name)] as const))
    return { ...args, ...Object.fromEntries(found.filter(([, id]) => id !== null)) }
  }

  /** `profile_id`: of the list of profiles, if it has one entry. */
  async #only(param: string): Promise<unknown> {
    const noun = param.replace(/_id$/, '')
    const list = this.#tools.find(
      ({ name, inputSchema }) => name.endsWith(`_list_${noun}s`) && (inputSchema.required ?? []).length === 0,
    )
    if (!list || noun === param) return null
    const { data } = (await this.#call(list, {})).body
    return Array.isArray(data) && data.length === 1 ? membersOf(data[0]).id : null
  }

  async #end(object: Members | null, lastWords: string): Promise<End> {
    return { object, lastWords }
  }
}

/** Whether the tool takes all that was asked for, by name. */
function fits({ inputSchema }: SeenTool, args: Members): boolean {
  return Object.keys(args).every((name) => name in inputSchema.properties)
}

function isOnly(required: readonly string[] = [], name: string): boolean {
  return required.length === 1 && required[0] === name
}

function withKey(args: Members, key: string): Members {
  return { ...args, idempotency_key: key }
}

function isOver({ completed_at: completedAt }: Members): boolean {
  return typeof completedAt === 'string'
}

/** Whether the words say that trying again helps: as things are, or once somebody has changed something. */
function retryIn(words: string): 'at once' | 'asked' | null {
  if (/\bA retry may buy it\.$/.test(words)) return 'at once'
  return /\bA retry (?:later )?may buy it\b/.test(words) ? 'asked' : null
}

function summaryOf({ summary, status }: Members): string {
  return typeof summary === 'string' ? summary : `Its status is ${status}.`
}

/** What an error says, for a person. */
function wordsOf({ body }: Pick<Seen, 'body'>): string {
  if (!Array.isArray(body.detail)) return String(membersOf(body.detail).message)
  return body.detail
    .map(membersOf)
    .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${msg}`)
    .join('; ')
}

/** Puts right what has one right form: a number that came as text, an argument that there is none of. */
function mendedByFaults(args: Members, faults: readonly unknown[]): Members | null {
  let better: unknown = args
  for (const fault of faults) {
    const { type, loc } = membersOf(fault)
    const path = Array.isArray(loc) ? loc.slice(1) : []
    const value = path.reduce<unknown>((at, name) => Object(at)[name], better)
    if (type === 'extra_forbidden') better = changed(better, path, undefined)
    else if (type === 'int_type' && typeof value === 'string' && /^\d+$/.test(value))
      better = changed(better, path, Number(value))
    else return null
  }
  return membersOf(better)
}

function changed(at: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(at)) return at.map((each, index) => (index === name ? changed(each, rest, value) : each))
  const { [name]: inner, ...others } = membersOf(at)
  const next = changed(inner, rest, value)
  return next === undefined ? others : { ...others, [name]: next }
}
