import { type CrashPoint, crashPoints } from '../../src/platform/faults/faults.ts'
import { patientMs } from '../gate/pace.ts'
import { createTestDatabase, type TestServer } from '../harness/database.ts'
import { closedAfterCrash, type Purchase, purchaseKinds, startPurchases } from './crash-purchases.ts'
import { isSale, prepareSale, type SaleKind } from './crash-sales.ts'
import { dieInLiveMode, type LiveCase, liveCases } from './live/crash-live.ts'
import { endEvidence, evidenceFolder, keepEvidence } from './load/keep-evidence.ts'
import { oneOfEach, seededRandom, shuffled } from './random.ts'
import { relayRest } from './relay-rest.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { newProfile, type Service, startService } from './whole-product.ts'

/** The points of purchases at pages of strangers are those of `anywhere`, those of the vault alone are those of the tests of its crashes, and
 * those of chats are those of `chats`. */
type Point = Exclude<
  CrashPoint,
  | `${'grant' | 'page' | 'redeem' | 'forward' | 'movements' | 'ticket' | 'card' | 'code' | 'keys' | 'chat'}.${string}`
  | 'charge.corrected'
>

/** A purchase that passes the point. A new point does not compile until it stands here. */
const passing: Readonly<Record<Point, Purchase | SaleKind>> = {
  'offer.before': 'shop',
  'offer.after': 'shop',
  'authorize.before': 'native',
  'authorize.after': 'native',
  'capture.before': 'native',
  'capture.after': 'native',
  'void.before': 'native rejected',
  'void.after': 'native rejected',
  'refund.before': 'shop charged for nothing',
  'refund.after': 'shop charged for nothing',
  'order_refund.before': 'native refunded',
  'order_refund.after': 'native refunded',
  'sale.before': 'sale',
  'sale.after': 'sale',
  'issue_credential.before': 'shop',
  'issue_credential.after': 'shop',
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
  'route.decided': 'native',
}

/** What is paid by a token passes these in other ways. */
const passingWithToken: Partial<Record<Point, readonly (Purchase | SaleKind)[]>> = {
  'sale.before': ['sale by token', 'shared sale'],
  'sale.after': ['sale by token', 'shared sale'],
  'issue_credential.before': ['token charged'],
  'issue_credential.after': ['token charged'],
  'ask.before': ['token charged'],
  'ask.after': ['token charged'],
  'revoke.before': ['token unused'],
  'revoke.after': ['token unused'],
}

type Case = { point: Point; hit: number; kind: Purchase | SaleKind }

/** Each lane has a database of its own. Only its dying worker and the worker that takes over do anything in it. */
const lanes = 3
const deathPatienceMs = 40_000

/**
 * A worker dies at a point; another one takes over when the lease has ended, and the purchase ends as it must. In the gate each kind of
 * purchase dies once, where the seed says; in the long size at each point that it passes.
 */
export async function runCrashPoints({ server, size, seed, only, tally }: SuiteRun): Promise<void> {
  const random = seededRandom(seed)
  const points = crashPoints
    .filter((point) => isPassed(point))
    .filter((point) => only === null || point.includes(only))
  const cases = shuffled(size === 'long' ? allCases(points) : gateCases(points, random), random)
  const folder = evidenceFolder('crash-points', seed)
  const reached = new Set<Point>()
  const waiting = cases.values()
  await Promise.all([
    ...Array.from({ length: lanes }, () => runLane({ server, folder, waiting, reached, tally })),
    dieInLiveMode(server, liveCasesOf({ size, only, random }), tally),
  ])
  const aimedAt = new Set(cases.map(({ point }) => point))
  for (const point of aimedAt) if (!reached.has(point)) tally.fail(`${point} was not reached`)
  tally.figure('points', `${reached.size} of ${points.length}`)
  tally.figure('deaths', cases.length)
  endEvidence(folder, tally)
}

/** A point that every step passes is tried at one of its first passings, another point at its only one. */
function gateCases(points: readonly Point[], random: () => number): Case[] {
  const cases = points.flatMap((point) =>
    kindsAt(point).map((kind) => ({
      point,
      kind,
      hit: isPassedOften(point) ? 1 + Math.floor(random() * 4) : 1,
    })),
  )
  return oneOfEach(cases, ({ kind }) => kind, random)
}

function allCases(points: readonly Point[]): Case[] {
  return points.flatMap((point) =>
    kindsAt(point).flatMap((kind) =>
      Array.from({ length: isPassedOften(point) ? 6 : 1 }, (_, index) => ({ point, kind, hit: index + 1 })),
    ),
  )
}

/** In the gate a few of those of live mode, in other places each time: `live-crashes.test.ts` has some of them in every gate. */
const liveInGate = 2

function liveCasesOf({
  size,
  only,
  random,
}: Pick<SuiteRun, 'size' | 'only'> & { random: () => number }): LiveCase[] {
  const nth = 1 + Math.floor(random() * 4)
  const often = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
  const hitsOf = (point: CrashPoint) => {
    // A merchant who answers without a webhook leaves less to do.
    const most = point.startsWith('step.commit') ? 4 : isPassedOften(point) ? 2 : 1
    return size === 'long' ? often(most) : [Math.min(nth, most)]
  }
  const cases = liveCases(hitsOf).filter(({ point }) => only === null || point.includes(only))
  return shuffled(cases, random).slice(0, size === 'long' ? cases.length : liveInGate)
}

function isPassed(point: CrashPoint): point is Point {
  return point in passing
}

function kindsAt(point: Point): Case['kind'][] {
  return [passing[point], ...(passingWithToken[point] ?? [])]
}

function isPassedOften(point: CrashPoint): boolean {
  return point.startsWith('step.commit') || point === 'claim.after'
}

type Lane = {
  server: TestServer
  folder: string
  waiting: Iterator<Case>
  reached: Set<Point>
  tally: Tally
}

async function runLane({ server, folder, waiting, reached, tally }: Lane): Promise<void> {
  const database = await createTestDatabase({ server })
  const service = await startService({ workers: 0, testClock: true, databaseUrl: database.url })
  const ids: string[] = []
  try {
    const profile = await newProfile(service)
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { id, hasDied, broken } = await dieAt(service, profile, next.value)
      if (id !== null) ids.push(id)
      if (hasDied) reached.add(next.value.point)
      if (broken.length === 0) tally.pass()
      else {
        for (const what of broken) tally.fail(what)
        await keepEvidence({ folder, url: service.ready.database_url }, [id ?? 'a sale', ...broken])
      }
    }
    for (const difference of await service.agree(ids, 0)) tally.fail(difference)
    await relayRest(service, tally)
    await service.audit(tally)
  } finally {
    await service.stop()
    await database.drop()
  }
}

async function dieAt(
  service: Service,
  profile: string,
  { point, hit, kind }: Case,
): Promise<{ id: string | null; hasDied: boolean; broken: string[] }> {
  const name = `${point}:${hit}`
  if (isSale(kind)) return await dieSelling(service, profile, { point, hit, kind })
  const purchases = startPurchases(service, profile)
  const purchase = await purchases.prepare(kind)
  const doomed = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: name })
  await purchase.goOn()
  const hasDied = await diesThere(doomed)
  const open = await purchases.inherit(purchase)
  const { status } = await service.read(purchase.id)
  const expected = closedAfterCrash(point) ? 'failed' : purchaseKinds[kind]
  return {
    id: purchase.id,
    hasDied,
    broken: [
      ...(hasDied ? [] : [`${name}: the worker did not die there`]),
      ...open.map((difference) => `${name}: ${difference}`),
      ...(status === expected
        ? []
        : [`${name}: ${kind} ${purchase.id} ended ${status} instead of ${expected}`]),
    ],
  }
}

/** The same for a sale to a buyer without an account. */
async function dieSelling(
  service: Service,
  profile: string,
  { point, hit, kind }: Pick<Case, 'point' | 'hit'> & { kind: SaleKind },
): Promise<{ id: string | null; hasDied: boolean; broken: string[] }> {
  const name = `${point}:${hit}`
  const sale = await prepareSale(service, profile, kind)
  try {
    const doomed = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: name })
    await sale.goOn()
    const hasDied = await diesThere(doomed)
    const open = await sale.inherit()
    const alive = hasDied ? [] : [`${name}: the worker did not die there`]
    return {
      id: null,
      hasDied,
      broken: [...alive, ...open.map((difference) => `${name}: ${kind}: ${difference}`)],
    }
  } finally {
    await sale.stop()
  }
}

async function diesThere({ ended, kill }: ReturnType<Service['runWorker']>): Promise<boolean> {
  const patience = AbortSignal.timeout(patientMs(deathPatienceMs))
  patience.addEventListener('abort', () => kill())
  return (await ended) === 'SIGKILL' && !patience.aborted
}
