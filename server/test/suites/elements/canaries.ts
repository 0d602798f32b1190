import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandRunner } from '../../harness/command-runner.ts'
import { makeStateDir } from '../../harness/database.ts'
import { type Service, serviceEnvironment, startService } from '../../harness/up.ts'
import { seededRandom } from '../random.ts'
import type { SuiteRun } from '../suite.ts'
import { postTo } from './post-to.ts'
import { countInMemory } from './search-memory.ts'

const sizes = { gate: 6, long: 100 } as const
const page = 'http://localhost:8089'
/** A profile has 50 cards at most. */
const cardsOfProfile = 25

/** Enters cards that exist nowhere else, in live mode, and looks for their numbers and codes wherever they must not be. */
export async function checkCanaries({ size, seed, tally }: SuiteRun): Promise<void> {
  const state = await makeStateDir()
  const service = await startService({
    state,
    args: [],
    env: {
      ...serviceEnvironment(),
      PROKURA_LIMIT_PROFILE_CARDS: '1000',
      PROKURA_LIMIT_ADDRESS_CARDS: '1000',
      PROKURA_LIMIT_KEY_CARDS: '1000',
    },
  })
  try {
    const typed = canariesOf(seed, sizes[size])
    await enterAll(service, state, typed)
    tally.figure('cards entered', typed.cards.length)
    await searchMemory(service, typed, tally)
    await service.stop()
    searchFiles(state, typed, tally)
  } finally {
    if (service.process.exitCode === null) await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
}

type Typed = {
  readonly cards: readonly { readonly number: string; readonly cvc: string }[]
  /** What all numbers begin with, and nothing else. */
  readonly prefix: string
  readonly holder: string
}

function canariesOf(seed: number, count: number): Typed {
  const random = seededRandom(seed)
  const digits = (length: number) => Array.from({ length }, () => Math.floor(random() * 10)).join('')
  const prefix = `4${digits(7)}`
  const cards = Array.from({ length: count }, () => ({
    number: withCheckDigit(prefix + digits(7)),
    cvc: digits(3),
  }))
  return { cards, prefix, holder: `Canary ${digits(9)}` }
}

/** The last digit by the rule of ISO/IEC 7812. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const twice = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

async function enterAll(service: Service, state: string, typed: Typed): Promise<void> {
  const commands = commandRunner()
  const keyOf = async (...about: string[]): Promise<string> => {
    const made = await commands.run([
      'keys',
      'create',
      '--mode',
      'live',
      ...about,
      '--state',
      state,
      '--json',
    ])
    return JSON.parse(made.out).token
  }
  const secretKey = await keyOf()
  const publishable_key = await keyOf('--kind', 'publishable', '--capability', 'elements', '--origin', page)
  commands.end()
  const { PROKURA_ELEMENTS_URL: elements } = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
  for (let at = 0; at < typed.cards.length; at += cardsOfProfile) {
    const profile = await postTo(
      `${service.ready.base_url}/v1/profiles`,
      { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'AT' },
      { authorization: `Bearer ${secretKey}` },
    )
    const asked = { publishable_key, component: 'AddPaymentMethod' }
    const begun = await postTo(`${elements}/elements/v1/bootstraps`, asked, { origin: page })
    const opened = await postTo(`${elements}/elements/v1/sessions`, {
      ...asked,
      bootstrap: begun.body.bootstrap,
      profile_id: profile.body.id,
    })
    const { session, vault_url } = opened.body
    const as = { authorization: `Bearer ${session}` }
    for (const card of typed.cards.slice(at, at + cardsOfProfile)) {
      const kept = await postTo(
        `${vault_url}/cards`,
        { ...card, exp_month: 12, exp_year: 2040, cardholder_name: typed.holder },
        as,
      )
      const { vault_token_id } = kept.body
      const added = await postTo(
        `${elements}/elements/v1/payment_methods`,
        { type: 'card', label: typed.holder, card: { kind: 'existing', vault_token_id } },
        as,
      )
      if (added.status !== 201) throw new Error(`no card was added: ${JSON.stringify([kept, added])}`)
    }
  }
}

/** What a person types is in no process but the vault; what is no secret is found, so that a search that finds nothing means something. */
async function searchMemory(service: Service, typed: Typed, tally: SuiteRun['tally']): Promise<void> {
  const codes = new Set(typed.cards.map(({ cvc }) => `${cvc}"`))
  const secrets = [
    { begins: typed.prefix, goesOn: null },
    { begins: '"cvc":"', goesOn: codes },
  ]
  const noSecret = [{ begins: typed.holder, goesOn: null }]
  let isSeen = false
  for (const [name, pid] of Object.entries(service.ready.pids)) {
    if (name === 'vault') continue
    const [found, names] = [await countInMemory(pid, secrets), await countInMemory(pid, noSecret)]
    if (found === null || names === null)
      return tally.skip('the memory of other processes cannot be read here')
    isSeen ||= names > 0
    if (found === 0) tally.pass()
    else tally.fail(`${name} has ${found} numbers or codes in its memory`)
  }
  if (isSeen) tally.pass()
  else tally.fail('the search of memory finds not even what is no secret')
}

function searchFiles(state: string, typed: Typed, tally: SuiteRun['tally']): void {
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const having = (text: string) =>
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => readFileSync(path).includes(text))
  const found = having(typed.prefix)
  if (found.length === 0) tally.pass()
  else tally.fail(`numbers are in ${found.join(', ')}`)
  if (having(typed.holder).length > 0) tally.pass()
  else tally.fail('the search of files finds not even what is no secret')
}
