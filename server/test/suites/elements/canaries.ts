import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasChromium } from '../../harness/browser.ts'
import { commandRunner } from '../../harness/command-runner.ts'
import { makeStateDir } from '../../harness/database.ts'
import { startSandbox } from '../../harness/sandbox.ts'
import { type Service, serviceEnvironment, startService } from '../../harness/up.ts'
import { queryStored } from '../load/query-stored.ts'
import { seededRandom } from '../random.ts'
import type { SuiteRun } from '../suite.ts'
import { typePasswords } from './canary-passwords.ts'
import { rehearsedLiveRail, typeAtProcessor } from './canary-processor.ts'
import { postTo } from './post-to.ts'
import { countInMemory } from './search-memory.ts'

const sizes = { gate: 6, long: 100 } as const
const page = 'http://localhost:8089'
/** A profile has 50 cards at most. */
const cardsOfProfile = 25

/**
 * Enters cards that exist nowhere else, in live mode, and types passwords that nobody has, in test mode, and looks for them wherever they must
 * not be. Three digits are everywhere: a code is looked for as it stands in a request, and in full where it is one that is refused, which is long.
 */
export async function checkCanaries({ size, seed, tally }: SuiteRun): Promise<void> {
  const state = await makeStateDir()
  const sandbox = await startSandbox()
  const live = await rehearsedLiveRail(sandbox)
  const service = await startService({
    state,
    args: live.args,
    env: {
      ...serviceEnvironment(),
      ...live.env,
      PROKURA_LIMIT_PROFILE_CARDS: '1000',
      PROKURA_LIMIT_ADDRESS_CARDS: '1000',
      PROKURA_LIMIT_KEY_CARDS: '1000',
    },
  })
  try {
    const typed = canariesOf(seed, sizes[size])
    await enterAll(service, state, typed)
    tally.figure('cards entered', typed.cards.length)
    await typePasswords(service, state, typed.passwords)
    tally.figure('passwords typed', typed.passwords.length)
    if (hasChromium) {
      await typeAtProcessor(service, state, typed.atProcessor)
      tally.figure('numbers typed at the processor', typed.atProcessor.length)
    } else tally.skip('there is no Chromium for this platform')
    await searchMemory(service, typed, tally)
    await searchTables(service, typed, tally)
    await service.stop()
    searchFiles(state, typed, tally)
  } finally {
    if (service.process.exitCode === null) await service.stop()
    await sandbox.stop()
    rmSync(state, { recursive: true, force: true })
  }
}

type Typed = {
  readonly cards: readonly { readonly number: string; readonly cvc: string }[]
  /** What all numbers begin with, and nothing else. */
  readonly prefix: string
  readonly holder: string
  /** Numbers that go to the payment processor, past the vault too, and what all of them begin with. */
  readonly atProcessor: readonly string[]
  readonly processorPrefix: string
  /** What all passwords begin with, and nothing else. */
  readonly passwordPrefix: string
  readonly passwords: readonly string[]
  /** A code that is refused. */
  readonly longCode: string
}

function canariesOf(seed: number, count: number): Typed {
  const random = seededRandom(seed)
  const digits = (length: number) => Array.from({ length }, () => Math.floor(random() * 10)).join('')
  const prefix = `4${digits(7)}`
  const cards = Array.from({ length: count }, () => ({
    number: withCheckDigit(prefix + digits(7)),
    cvc: digits(3),
  }))
  const processorPrefix = `5${digits(7)}`
  const passwordPrefix = `pw-${digits(12)}`
  return {
    cards,
    prefix,
    holder: `Canary ${digits(9)}`,
    processorPrefix,
    atProcessor: cards.map(() => withCheckDigit(processorPrefix + digits(7))),
    passwordPrefix,
    passwords: Array.from({ length: count }, () => `${passwordPrefix}-${digits(8)}`),
    longCode: digits(18),
  }
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
    const refused = await postTo(`${vault_url}/cvcs`, { cvc: typed.longCode, card_brand: null }, as)
    if (refused.status !== 422) throw new Error(`a long code was not refused: ${JSON.stringify(refused)}`)
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
    { begins: typed.longCode, goesOn: null },
    { begins: typed.passwordPrefix, goesOn: null },
  ]
  const noSecret = [{ begins: typed.holder, goesOn: null }]
  let isSeen = false
  for (const [name, pid] of Object.entries(service.ready.pids)) {
    const processors = await countInMemory(pid, [{ begins: typed.processorPrefix, goesOn: null }])
    if (processors !== null && processors > 0)
      tally.fail(`${name} has numbers of the processor in its memory`)
    if (name === 'vault') continue
    const [found, names] = [await countInMemory(pid, secrets), await countInMemory(pid, noSecret)]
    if (found === null || names === null)
      return tally.skip('the memory of other processes cannot be read here')
    isSeen ||= names > 0
    if (found === 0) tally.pass()
    else tally.fail(`${name} has ${found} numbers, codes or passwords in its memory`)
  }
  if (isSeen) tally.pass()
  else tally.fail('the search of memory finds not even what is no secret')
}

/** Files hold long values compressed: so every row is read too, those of events, deliveries and the audit chain among them. */
async function searchTables({ ready }: Service, typed: Typed, tally: SuiteRun['tally']): Promise<void> {
  const { database_url: url } = ready
  const tables = await queryStored<{ name: string }>(
    url,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const texts = [typed.prefix, typed.processorPrefix, typed.longCode, typed.passwordPrefix]
  const forms = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
  let isSeen = false
  for (const { name } of tables) {
    const having = async (pattern: string) =>
      (await queryStored(url, `select 1 from ${name} t where t::text ~ $1 limit 1`, [pattern])).length > 0
    if (await having(forms.join('|'))) tally.fail(`${name} has a number, a code or a password`)
    else tally.pass()
    isSeen ||= await having(typed.holder)
  }
  if (isSeen) tally.pass()
  else tally.fail('the search of tables finds not even what is no secret')
}

function searchFiles(state: string, typed: Typed, tally: SuiteRun['tally']): void {
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const having = (text: string) =>
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => readFileSync(path).includes(text))
  for (const secret of [typed.prefix, typed.processorPrefix, typed.longCode, typed.passwordPrefix]) {
    const found = having(secret)
    if (found.length === 0) tally.pass()
    else tally.fail(`${secret} is in ${found.join(', ')}`)
  }
  if (having(typed.holder).length > 0) tally.pass()
  else tally.fail('the search of files finds not even what is no secret')
}
