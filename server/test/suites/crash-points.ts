import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { type CrashPoint, crashPoints } from '../../src/platform/faults/faults.ts'
import { createTestDatabase } from '../harness/database.ts'
import { seededRandom } from './random.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { bodyOf, newProfile, type Service, startService } from './whole-product.ts'

type Purchase = 'native' | 'native rejected' | 'shop' | 'shop rejected' | 'shop lost' | 'shop lost unplaced'

/** A purchase that passes the point. Null: nothing passes it yet. */
const passing: Readonly<Record<CrashPoint, Purchase | null>> = {
  'offer.before': 'shop',
  'offer.after': 'shop',
  'authorize.before': 'native',
  'authorize.after': 'native',
  'capture.before': 'native',
  'capture.after': 'native',
  'void.before': 'native rejected',
  'void.after': 'native rejected',
  // Merchants cannot refund yet.
  'refund.before': null,
  'refund.after': null,
  'issue.before': 'shop',
  'issue.after': 'shop',
  'place.before': 'shop',
  'place.after': 'shop',
  'revoke.before': 'shop rejected',
  'revoke.after': 'shop rejected',
  'close.before': 'shop lost unplaced',
  'close.after': 'shop lost unplaced',
  'ask.before': 'shop lost',
  'ask.after': 'shop lost',
  'deliver.before': 'native',
  'deliver.after': 'native',
  'claim.after': 'native',
  'step.commit.before': 'native',
  'step.commit.after': 'native',
  'relay.read': 'native',
  'relay.commit.before': 'native',
  'relay.commit.after': 'native',
}

/** The gate's choice: where an effect is journaled and not sent, sent and not heard of, or heard of and not written. */
const gatePoints: readonly CrashPoint[] = [
  'authorize.after',
  'capture.before',
  'capture.after',
  'void.after',
  'issue.after',
  'place.before',
  'place.after',
  'close.after',
  'deliver.after',
  'step.commit.before',
  'step.commit.after',
  'relay.commit.before',
]

/** Bought in the end, unless the submit itself was journaled and not sent: it is closed at the shop, never sent again. */
const placedKinds: readonly Purchase[] = ['native', 'shop', 'shop lost']

const deathPatienceMs = 25_000
const endPatienceMs = 25_000
/** Longer than a lease, and than the proof that a call which was journaled can no longer arrive. */
const leaseSeconds = 45

/** A worker dies at a point; another one takes over when the lease has ended. */
export async function runCrashPoints({ server, size, seed, tally }: SuiteRun): Promise<void> {
  const database = await createTestDatabase({ server })
  const service = await startService({ workers: 0, testClock: true, databaseUrl: database.url })
  const random = seededRandom(seed)
  const ids: string[] = []
  try {
    const profile = await newProfile(service)
    for (const { point, hit } of size === 'long' ? allCases() : gateCases(random)) {
      const id = await dieAt(service, tally, { point, hit, profile })
      if (id !== null) ids.push(id)
    }
    tally.figure('purchases', ids.length)
    const open = await service.agree(ids, 0)
    for (const difference of open) tally.fail(difference)
    await service.audit(tally)
  } finally {
    await service.stop()
    await database.drop()
  }
}

type Case = { point: CrashPoint; hit: number }

function gateCases(random: () => number): Case[] {
  return gatePoints.map((point) => ({ point, hit: isPassedOften(point) ? 1 + Math.floor(random() * 4) : 1 }))
}

/** Points that every step passes are tried at each of their first passings. */
function allCases(): Case[] {
  return crashPoints
    .filter((point) => passing[point] !== null)
    .flatMap((point) =>
      Array.from({ length: isPassedOften(point) ? 6 : 1 }, (_, index) => ({ point, hit: index + 1 })),
    )
}

function isPassedOften(point: CrashPoint): boolean {
  return point.startsWith('step.commit') || point === 'claim.after'
}

async function dieAt(
  service: Service,
  tally: Tally,
  { point, hit, profile }: Case & { profile: string },
): Promise<string | null> {
  const name = `${point}:${hit}`
  const kind = passing[point]
  if (kind === null) return null
  const doomed = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: name })
  const id = await buy(service, profile, kind)
  const patience = AbortSignal.timeout(deathPatienceMs)
  patience.addEventListener('abort', () => doomed.kill())
  const how = await doomed.ended
  if (patience.aborted || how !== 'SIGKILL') {
    tally.fail(
      `${name}: the worker did not die there (${patience.aborted ? 'it lives on' : how}) while buying ${kind}`,
    )
  }
  const heir = await service.startRole('worker')
  const open = await endOf(service, id)
  await heir.stop(8000)
  const { status } = await service.read(id)
  const expected = point === 'place.before' || !placedKinds.includes(kind) ? 'failed' : 'succeeded'
  if (open.length === 0 && status === expected) tally.pass()
  else tally.fail(`${name}: ${kind} ended ${status} instead of ${expected}. ${open.join('; ')}`)
  return id
}

/** The dead worker holds its leases until they end; the clock brings that forward, as nobody is left who could still be working. */
async function endOf(service: Service, id: string): Promise<string[]> {
  const deadline = performance.now() + endPatienceMs
  for (;;) {
    await advanceTestClock(service.ready.database_url, leaseSeconds)
    const open = await service.agree([id], 2_000)
    if (open.length === 0 || performance.now() > deadline) return open
  }
}

async function buy(service: Service, profile: string, kind: Purchase): Promise<string> {
  const { sandbox } = service.ready
  const urls: Record<Purchase, string> = {
    native: sandbox.items.ok,
    'native rejected': sandbox.items.rejected,
    shop: 'https://shop.example/thing',
    'shop rejected': 'https://shop.example/thing?scenario=rejected',
    'shop lost': 'https://shop.example/thing?scenario=lost_answer_placed',
    'shop lost unplaced': 'https://shop.example/thing?scenario=lost_answer_not_placed',
  }
  const item = {
    url: urls[kind],
    quantity: 1,
    expected_amount: sandbox.item_price,
    expected_currency: sandbox.item_currency,
  }
  const post = (path: string, body: object) =>
    service.client().rest({ method: 'POST', path, key: service.person, body: JSON.stringify(body) })
  const { id } = bodyOf(await post('/v1/purchase_intents', { profile_id: profile, items: [item] }), 201)
  bodyOf(await post(`/v1/purchase_intents/${id}/approve`, { approve: true }), 200)
  return String(id)
}
