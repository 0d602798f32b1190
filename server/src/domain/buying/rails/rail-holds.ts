import type { Mode } from '../../../contract/context.ts'
import type { Invariant, InvariantResult } from '../../../platform/audit/invariants.ts'
import { readDatabaseTime } from '../../../platform/clock/clock.ts'
import type { Pools } from '../../../platform/database/pool.ts'
import type { Call, ListedHold } from './port.ts'
import type { NamedRail } from './rails.ts'
import { timing } from './timing.ts'

type Reader = Pick<Pools, 'read'>

/** What we know of a hold: from what was written before the rail was asked for it, and from its own row. */
export type OurHold = {
  cart_id: string
  attempt: number
  key: string
  state: 'unsent' | 'sent' | 'unknown' | 'done' | 'refused' | 'closed'
  hold_status: 'authorized' | 'captured' | 'refunded' | 'voided' | 'expired' | 'failed' | null
  kind: 'authorization' | 'credential' | null
  reference: string | null
  updated_at: Date | null
  /** Whether a call is under way that captures or releases it. */
  is_moving: boolean
}

/** Rows of ours that say what a rail holds. Every slice that holds money has them. */
export type HoldRows = {
  /** Every hold that is open, or may be open. */
  open(pools: Reader, at: AtRail): Promise<OurHold[]>
  /** Those that the rail knows by these keys, open or not. */
  named(pools: Reader, at: AtRail, keys: readonly string[]): Promise<OurHold[]>
}

type AtRail = { readonly mode: Mode; readonly rail: string }

/** What both sides say about open holds, read once for both invariants. */
type Comparison = { ours: InvariantResult; theirs: InvariantResult }

/** A rail whose holds are compared with our rows of a mode. */
type AskedRail = Pick<NamedRail, 'name' | 'rail' | 'isAskedByCall'> & { readonly mode: Mode }

/** A rail of test mode lists all that it has; one with real money is asked for as long as any hold can last. */
const longestHoldDays = 31
const askedAtOnce = 8
const violationsMax = 100
/** A lease and the longest call, twice: a call that was under way when the rail was asked is over by then. */
const settledMs = 2 * (timing.leaseSeconds * 1000 + timing.longestCallMs + timing.marginMs)

/**
 * What the database alone cannot show: that a rail holds exactly what our rows say that it does. `asked` null: there is none to ask.
 * `olderThanMs`: a hold is checked once it was made, or changed, this long ago. `sources`: the rows of every slice that holds money.
 */
export function railInvariants(
  asked: AskedRail | null,
  { olderThanMs = settledMs, sources }: { olderThanMs?: number; sources: readonly HoldRows[] },
): readonly Invariant[] {
  let compared: Promise<Comparison> | undefined
  const compare = (pools: Reader) => {
    compared ??=
      asked === null ? Promise.resolve(noRail) : compareHolds(pools, asked, { olderThanMs, sources })
    return compared
  }
  const isLive = asked?.mode === 'live'
  const [ofMode, inLive] = isLive ? ['-live', ' in live mode'] : ['', '']
  return [
    {
      id: `M6-rail${ofMode}`,
      title: `The payment rail holds everything that the database says is held${inLive}`,
      check: async ({ pools }) => (await compare(pools)).ours,
    },
    {
      id: `M6-listed${ofMode}`,
      title: `The database knows everything that the payment rail holds${inLive}`,
      check: async ({ pools }) => (await compare(pools)).theirs,
    },
  ]
}

const noRail: Comparison = {
  ours: notAsked('PROKURA_RAIL_URL is not set', false),
  theirs: notAsked('PROKURA_RAIL_URL is not set', false),
}
const silent = notAsked('the payment rail did not answer', true)

type Compared = { olderThanMs: number; sources: readonly HoldRows[] }

async function compareHolds(
  pools: Reader,
  asked: AskedRail,
  { olderThanMs, sources }: Compared,
): Promise<Comparison> {
  const at = { mode: asked.mode, rail: asked.name }
  const until = new Date((await readDatabaseTime(pools)).getTime() - olderThanMs)
  const rows = (await Promise.all(sources.map((source) => source.open(pools, at)))).flat()
  const readNamed = (holds: readonly { key: string }[]) => readHoldsNamed(pools, { at, sources }, holds)
  const listed = await listAll(asked, until)
  if (listed === 'silent') return { ours: silent, theirs: silent }
  return {
    ours: await checkOurs(readNamed, asked, {
      holds: rows.filter((row) => row.hold_status === 'authorized' && (row.updated_at ?? until) < until),
      listed: listed ?? new Map(),
    }),
    theirs:
      listed === null
        ? notAsked('this payment rail cannot list what it holds', false)
        : await checkTheirs(readNamed, asked, { known: new Set(rows.map(({ key }) => key)), listed }),
  }
}

/** All holds of the rail, by key; null where it cannot list them. */
async function listAll(
  { rail, mode }: AskedRail,
  until: Date,
): Promise<ReadonlyMap<string, ListedHold> | null | 'silent'> {
  if (!rail.list) return null
  const since = mode === 'live' ? new Date(until.getTime() - longestHoldDays * 86_400_000) : null
  const listed = new Map<string, ListedHold>()
  for (let page: string | null = null; ; ) {
    const answer = await rail.list({ since, until, page }, callOf(mode))
    if (answer === null) return 'silent'
    for (const hold of answer.holds) listed.set(hold.key, hold)
    if (answer.next === null) return listed
    page = answer.next
  }
}

/**
 * A hold that is not listed is asked about by its key; if the rail denies it, its row is read again, since it may have been released
 * meanwhile.
 */
type ReadNamed = (holds: readonly { key: string }[]) => Promise<ReadonlyMap<string, OurHold>>

async function checkOurs(
  readNamed: ReadNamed,
  asked: AskedRail,
  { holds, listed }: { holds: readonly OurHold[]; listed: ReadonlyMap<string, ListedHold> },
): Promise<InvariantResult> {
  const unlisted = holds.filter(({ key, reference }) => listed.get(key)?.object.reference !== reference)
  const said = await askAll(asked, unlisted)
  if (said === null) return silent
  const denied = unlisted.filter((hold, index) => !isHeld(hold, said[index] ?? 'nothing'))
  const now = await readNamed(denied)
  const violations = denied.filter((hold) => {
    const row = now.get(hold.key)
    // guard missing-hold-is-found: a hold in a row that the rail does not have is named
    return (
      row?.hold_status === 'authorized' &&
      !row.is_moving &&
      +(row.updated_at ?? 0) === +(hold.updated_at ?? 0)
    )
  })
  return found(
    holds.length,
    violations.map(({ cart_id, attempt, reference }) => `${cart_id} ${attempt}: ${reference} is not held`),
  )
}

/** A hold without a row is asked about once more, after the rows were read again: then it is no race. */
async function checkTheirs(
  readNamed: ReadNamed,
  asked: AskedRail,
  { known, listed }: { known: ReadonlySet<string>; listed: ReadonlyMap<string, ListedHold> },
): Promise<InvariantResult> {
  const strange = [...listed.values()].filter(({ key }) => !known.has(key))
  const now = await readNamed(strange)
  const unknown = strange.filter(({ key }) => !isKnown(now.get(key)))
  const said = await askAll(
    asked,
    unknown.map(({ key, object }) => ({ key, kind: null, reference: object.reference })),
  )
  if (said === null) return silent
  return found(
    listed.size,
    // guard unknown-hold-is-found: a hold at the rail that no row knows is named
    unknown.flatMap(({ key, object }, index) =>
      said[index] === 'authorized' ? [`${key}: ${object.reference} is held and no row knows of it`] : [],
    ),
  )
}

function isKnown(row: OurHold | undefined): boolean {
  return (
    row !== undefined && (row.hold_status === 'authorized' || row.state === 'sent' || row.state === 'unknown')
  )
}

/** A merchant charges a credential, and releases what it has authorized, without a message to us; to read that is the cart's own work. */
function isHeld({ kind }: OurHold, said: string): boolean {
  return said === 'authorized' || (kind === 'credential' && (said === 'captured' || said === 'voided'))
}

/** The state of each hold at the rail, or `nothing`; null when the rail did not answer. */
async function askAll(asked: AskedRail, holds: readonly Asked[]): Promise<string[] | null> {
  const said: string[] = []
  for (let from = 0; from < holds.length; from += askedAtOnce) {
    const answers = await Promise.all(
      holds.slice(from, from + askedAtOnce).map((hold) => stateOf(asked, hold)),
    )
    for (const answer of answers) {
      if (answer === null) return null
      said.push(answer)
    }
  }
  return said
}

type Asked = Pick<OurHold, 'key' | 'kind' | 'reference'>

/** A rail that remembers no keys is asked by its own name for the hold. Null: it did not answer. */
async function stateOf({ rail, mode, isAskedByCall }: AskedRail, hold: Asked): Promise<string | null> {
  const { key, kind, reference } = hold
  const answer =
    isAskedByCall === true && reference !== null
      ? await rail.get(kind ?? 'authorization', reference, callOf(mode))
      : await rail.ask(key, callOf(mode))
  switch (answer.kind) {
    case 'done':
      return answer.value.status
    case 'unknown':
    case 'pending':
      return null
    case 'not_now':
      return answer.reason === 'no_object' || isAskedByCall !== true ? 'nothing' : null
    default:
      return 'nothing'
  }
}

function callOf(mode: Mode): Call {
  return { mode, timeoutMs: timing.longestCallMs }
}

async function readHoldsNamed(
  pools: Reader,
  { at, sources }: { readonly at: AtRail; readonly sources: readonly HoldRows[] },
  holds: readonly { key: string }[],
): Promise<ReadonlyMap<string, OurHold>> {
  if (holds.length === 0) return new Map()
  const keys = holds.map(({ key }) => key)
  const rows = (await Promise.all(sources.map((source) => source.named(pools, at, keys)))).flat()
  return new Map(rows.map((row) => [row.key, row]))
}

function found(checked: number, violations: readonly string[]): InvariantResult {
  return { checked, violations: violations.slice(0, violationsMax) }
}

function notAsked(reason: string, isFault: boolean): InvariantResult {
  return { checked: 0, violations: [], notAsked: { reason, isFault } }
}
