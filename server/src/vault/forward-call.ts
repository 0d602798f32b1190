import type { Egress } from '../platform/egress/egress.ts'
import { callPeer } from '../platform/egress/peer-json.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type {
  CardField,
  CardPointers,
  CardRecord,
  Forwarded,
  ForwardedCall,
  ForwardRefusal,
  VaultTenant,
} from '../platform/vault-client/vault-words.ts'
import type { JsonValue } from '../schema/strict-json.ts'
import type { CardRecords } from './card-records.ts'
import type { CardSecrets } from './check-card.ts'
import { cleanAnswer, type Known } from './clean-answer.ts'
import { codeOf } from './code-of-card.ts'
import { valueAt, withValueAt } from './json-pointers.ts'
import { placeholdersIn, putInPlace } from './put-in-place.ts'
import type { SecurityCodes } from './security-codes.ts'
import { railAt, type VaultRails, whoAsks } from './vault-rails.ts'

type ForwardDeps = {
  readonly egress: Egress
  /** The rails of each mode; a mode without one has nobody to call. */
  readonly rails: VaultRails
  readonly records: CardRecords
  readonly codes: SecurityCodes
  readonly faults: Faults
  /** Notes that a number of the record went into a call. */
  readonly noteUse: (tenant: VaultTenant, record: string) => Promise<void>
}

/** Makes a call to a rail: cards go into its body here, and out of its answer, so that the caller sees none. */
export async function forwardCall(deps: ForwardDeps, call: ForwardedCall): Promise<Forwarded> {
  const rail = railAt(deps.rails, call.tenant.mode, call.url)
  if (rail === null) return refused('not_the_rail')
  const filled = await fill(deps, call)
  if (typeof filled === 'string') return refused(filled)
  await deps.faults.at('forward.before')
  const said = await callPeer(deps.egress, {
    method: call.method,
    url: call.url,
    headers: { ...call.headers, ...whoAsks(rail) },
    ...(filled.body === null ? {} : { body: filled.body }),
    mode: call.tenant.mode,
    timeoutMs: call.timeoutMs,
  })
  await deps.faults.at('forward.after')
  if (said.kind !== 'answer') return said
  const { status, retryAfterSeconds } = said
  if (call.seal === null || status >= 300) {
    const body = objectOf(cleanAnswer(said.body, filled.known))
    return { kind: 'answer', status, body, retryAfterSeconds, record: null }
  }
  return { kind: 'answer', status, retryAfterSeconds, ...(await sealIn(deps, call, said.body, filled.known)) }
}

function refused(reason: ForwardRefusal): Forwarded {
  return { kind: 'refused', reason }
}

type Filled = { readonly body: JsonValue; readonly known: Known }

async function fill(deps: ForwardDeps, call: ForwardedCall): Promise<Filled | ForwardRefusal> {
  const places = placeholdersIn(call.body)
  if (places === null) return 'not_understood'
  const cards = new Map<string, CardSecrets & { readonly code: string | null }>()
  for (const { record, field } of places) {
    const known = cards.get(record)
    if (known && (known.code !== null || field !== 'security_code')) continue
    const row = await deps.records.find(call.tenant, record)
    if (row === null) return 'no_record'
    const secrets = await deps.records.secretsOf(row)
    const code = field === 'security_code' ? await codeOf(deps, row, secrets) : null
    if (field === 'security_code' && code === null) return 'code_lost'
    cards.set(record, { ...secrets, code })
  }
  for (const [record, { code }] of cards) {
    await deps.noteUse(call.tenant, record)
    // Used with this, whatever becomes of the call.
    if (code !== null) deps.codes.forget({ ...call.tenant, id: record })
  }
  const body = putInPlace(call.body, ({ record, field }) => partOf(cards.get(record), field))
  const used = [...cards.values()]
  const known = { numbers: used.map(({ number }) => number), codes: used.flatMap(({ code }) => code ?? []) }
  return { body, known }
}

function partOf(
  card: (CardSecrets & { readonly code: string | null }) | undefined,
  field: CardField,
): JsonValue {
  if (card === undefined) throw new Error('a part of a card that was not opened')
  switch (field) {
    case 'number':
      return card.number
    case 'exp_month':
      return card.expMonth
    case 'exp_year':
      return card.expYear
    case 'security_code':
      return card.code
    case 'holder':
      return card.holder
    default:
      return field satisfies never
  }
}

/** An answer in which no card was found where it should be is given to nobody: it may stand elsewhere in it. */
async function sealIn(
  { records }: ForwardDeps,
  call: ForwardedCall,
  body: Readonly<Record<string, unknown>>,
  known: Known,
): Promise<{ body: Readonly<Record<string, unknown>>; record: CardRecord | null }> {
  const { seal } = call
  const card = seal === null ? null : cardIn(body, seal)
  if (seal === null || card === null) return { body: {}, record: null }
  const hasSource = call.method === 'GET' && call.body === null
  const kept = await records.keep(call.tenant, {
    ...card,
    kind: 'issued',
    source: hasSource ? { url: call.url, number: seal.number, securityCode: seal.securityCode } : null,
    keepUntil: seal.keepUntil,
  })
  if ('fault' in kept) return { body: {}, record: null }
  let cleaned = withValueAt(body, seal.number, kept.id)
  for (const pointer of [seal.securityCode, seal.holder])
    if (pointer !== null && valueAt(body, pointer) !== undefined)
      cleaned = withValueAt(cleaned, pointer, null)
  const codes = card.securityCode === null ? known.codes : [...known.codes, card.securityCode]
  const all = { numbers: [...known.numbers, card.number], codes }
  return { body: objectOf(cleanAnswer(cleaned, all)), record: kept }
}

/** The card in an answer; null: it is not where the pointers say. */
function cardIn(
  body: unknown,
  pointers: CardPointers,
): (CardSecrets & { readonly securityCode: string | null }) | null {
  const number = textOf(valueAt(body, pointers.number))
  const expMonth = numberOf(valueAt(body, pointers.expMonth))
  const expYear = numberOf(valueAt(body, pointers.expYear))
  const securityCode = pointers.securityCode === null ? null : textOf(valueAt(body, pointers.securityCode))
  if (number === null || expMonth === null || expYear === null) return null
  if (pointers.securityCode !== null && securityCode === null) return null
  const holder = pointers.holder === null ? null : textOf(valueAt(body, pointers.holder))
  return { number, expMonth, expYear, securityCode, holder }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Rails write months as 3 and as "03". */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : null
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
