import { administer } from '../../src/cli/operator/administer.ts'
import { revokeKey } from '../../src/domain/accounts/api-keys/public.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import {
  type Arena,
  answersOf,
  approveOf,
  cancelOf,
  codeOf,
  createMany,
  openArena,
  policyOf,
  purchaseOf,
  type Racing,
  readOf,
  retryOf,
} from './arena.ts'
import { memberOf } from './client.ts'
import { raceInLiveMode } from './live/race-live.ts'
import { untilLookedAt } from './load/read-strangers.ts'
import {
  raceArchivedProfile,
  raceDecline,
  raceDeletedCard,
  raceFreeze,
  raceNarrowerPolicy,
  racePasswords,
  raceRetryCancel,
} from './races/decisions.ts'
import { pagesAtOnce, raceHeldUpWorkers, raceReconcile } from './races/held-up-workers.ts'
import { raceImports } from './races/imports.ts'
import { raceMarkets } from './races/markets.ts'
import { racePromotions, raceRateCardPurchases } from './races/offers.ts'
import { racePrices, raceRefunds } from './races/order-life.ts'
import { raceAnswers } from './races/orders.ts'
import { raceQuotes } from './races/quotes.ts'
import { raceLinks, raceRateCards, raceRotations, raceToggles } from './races/selling.ts'
import { compareStrangers, createMixed, raceOrderMessages, refused, withPages } from './races/strangers.ts'
import { eachOf, type SuiteRun } from './suite.ts'
import { newProfile, type Service, startService } from './whole-product.ts'

/**
 * Requests that collide, on two API processes over one database. Their results are those of some order in which they could have come one
 * after another. Approved purchases are bought in the end, and the outside world must remember the same: in test mode that of the sandbox,
 * then in live mode Stripe.
 */
export async function runRaces(run: SuiteRun): Promise<void> {
  if (run.only !== 'stripe') await raceInTestMode(run)
  if (run.only === null || run.only === 'stripe') await raceInLiveMode(run)
}

async function raceInTestMode(run: SuiteRun): Promise<void> {
  // The role of a vault can only be made on a server of our own.
  const service = await startService({ workers: 0, databaseUrl: null, pages: pagesAtOnce })
  try {
    const [second] = await Promise.all([service.startRole('api'), lookAround(service)])
    const bases = [service.ready.base_url, String(second.ready.base_url)]
    const arena = await openArena(service, { bases, databaseUrl: service.ready.database_url }, run)
    try {
      await raceAll(arena, run)
      await expectNoDeadlocks(arena, run)
    } finally {
      await arena.close()
    }
    await service.audit(run.tally)
  } finally {
    await service.stop()
  }
}

/** What no worker has looked at has no way of buying. None that runs later has anything to look at. */
async function lookAround(service: Service): Promise<void> {
  const worker = await service.startRole('worker')
  await untilLookedAt(service.ready.database_url)
  await worker.stop(8000)
}

async function raceAll(arena: Arena, { tally, size, only }: SuiteRun): Promise<void> {
  const { service } = arena
  const bought: string[] = []
  async function timed(name: string, race: () => Promise<readonly string[] | undefined>): Promise<void> {
    if (only !== null && !name.includes(only) && !name.includes('compared')) return
    const startedMs = performance.now()
    const before = arena.raced
    const ids = await race()
    bought.push(...(ids ?? []))
    tally.figure(name, `${arena.raced - before} in ${Math.round(performance.now() - startedMs)} ms`)
  }
  // First, while nothing else is due, since the worker that is held up has room for a limited number of carts.
  await timed('cancel, freeze × held-up worker', () => raceHeldUpWorkers(arena, size))
  await timed('reconcile × reconcile × worker', () => raceReconcile(arena))
  await timed('approvals on one limit', () => raceOnLimit(arena))
  await timed('approve × approve', () => raceApprovals(arena))
  await timed('approve × cancel', () => raceCancel(arena))
  await timed('approve × decline', () => raceDecline(arena))
  await timed('approve × revoke', () => raceRevocation(arena))
  await timed('approve × freeze', () => raceFreeze(arena))
  await timed('approve × narrower policy', () => raceNarrowerPolicy(arena))
  await timed('approve × deleted card', () => raceDeletedCard(arena))
  await timed('create × archived profile', () => raceArchivedProfile(arena))
  await timed('password × password', () => racePasswords(arena))
  await timed('one key, fifty requests', () => raceOneKey(arena))
  await timed('responder toggles', () => raceResponders(arena))
  await timed('a hundred responder toggles', () => raceToggles(arena))
  await timed('markets on one region', () => raceMarkets(arena))
  await timed('accept × accept × cancel of a quote', () => raceQuotes(arena))
  await timed('rate card × calculation', () => raceRateCards(arena))
  await timed('secret rotations', () => raceRotations(arena))
  await timed('one onboarding link', () => raceLinks(arena))
  const doomed = await orderDoomed(arena)
  // Steps that come together share a transaction, also where few come: what collides is often in the same one.
  const grouped = { PROKURA_BATCH_AFTER: '0' }
  const workers = await Promise.all([
    service.startRole('worker', grouped),
    service.startRole('worker', grouped),
  ])
  await timed('cancel × execution', () => raceExecution(arena))
  await timed('answer × answer × cancel × expiry', () => raceAnswers(arena))
  await timed('reprice × answer × cancel', () => racePrices(arena))
  await timed('refund × refund × return', () => raceRefunds(arena))
  await timed('messages × messages × cancel', () => raceOrderMessages(arena))
  await timed('one promotion, many carts', () => racePromotions(arena))
  await timed('rate card × purchases', () => raceRateCardPurchases(arena))
  await timed('one file, many imports', () => raceImports(arena))
  await timed('bought and compared', () => compare(arena, [...bought, ...doomed]))
  await Promise.all(workers.map((worker) => worker.stop(8000)))
  const half = Math.ceil(doomed.length / 2)
  await timed('retry × retry', () => raceRetries(arena, doomed.slice(0, half)))
  await timed('retry × cancel', () => raceRetryCancel(arena, doomed.slice(half)))
  await service.startRole('worker')
  await timed('retried and compared', () => compare(arena, [...bought, ...doomed]))
  await timed('strangers compared', () => compareStrangers(arena))
  tally.figure('rounds', arena.raced)
}

/** All transactions lock in one order. A deadlock that a retry resolved counts, too. */
async function expectNoDeadlocks(arena: Arena, { tally }: SuiteRun): Promise<void> {
  // Each backend reports when it is idle; the last reports come within a second.
  await arena.query('select pg_stat_force_next_flush()')
  const [row] = await arena.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  tally.figure('deadlocks', Number(row?.deadlocks))
  arena.expect(Number(row?.deadlocks) === 0, () => `PostgreSQL resolved ${row?.deadlocks} deadlocks`)
}

/** A limit for ten purchases or some more, and two hundred approvals: those within it succeed, and the others can still be approved another day. */
async function raceOnLimit(arena: Arena): Promise<string[]> {
  const [wanting, room, cap] = [200, 10, 1500]
  const profile = await newProfile(arena.service)
  await arena.ask(
    {
      method: 'POST',
      path: '/v1/policies',
      body: policyOf(profile, { interval: 'all_time', max_amount: room * cap }),
    },
    201,
  )
  const ids = await createMixed(arena, wanting, { profileId: profile, more: { max_amount: cap } })
  const answers = await arena.race(ids.map((id) => approveOf(id)))
  const counts = answersOf(answers)
  const standing = await Promise.all(ids.map((id) => arena.service.read(id)))
  const capsOf = (status: number) =>
    standing.flatMap((one, index) => (answers[index]?.status === status ? [one.max_allowed_amount] : []))
  const used = capsOf(200).reduce((sum, amount) => sum + amount, 0)
  // What did not fit then does not fit any more: nothing was given back meanwhile.
  const isFull = capsOf(409).every((amount) => used + amount > room * cap)
  arena.expect(
    used <= room * cap &&
      isFull &&
      (counts['200'] ?? 0) + (counts['409 policy_limit_exceeded'] ?? 0) === wanting,
    () => `${wanting} approvals on a limit of ${room * cap} hold ${used}: ${JSON.stringify(counts)}`,
  )
  for (const [index, { id, status }] of standing.entries()) {
    const expected = answers[index]?.status === 200 ? 'approved' : 'awaiting_approval'
    arena.expect(status === expected, () => `${id} is ${status} after ${answers[index]?.text}`)
  }
  return standing.filter(({ status }) => status === 'approved').map(({ id }) => id)
}

async function raceApprovals(arena: Arena): Promise<string[]> {
  const ids = await createMixed(arena, arena.rounds(20), { from: withPages })
  await eachOf(ids, 4, async (id) => {
    const answers = answersOf(await arena.race([1, 2, 3, 4].map(() => approveOf(id))))
    arena.expect(
      answers['200'] === 1 && answers['409 not_approvable'] === 3,
      () => `four approvals of ${id}: ${JSON.stringify(answers)}`,
    )
  })
  return ids
}

/** Nothing has begun, so the cancel always holds, before or after the approval. */
async function raceCancel(arena: Arena): Promise<undefined> {
  await eachOf(await createMixed(arena, arena.rounds(20), { from: withPages }), 4, async (id) => {
    const requests = arena.random() < 0.5 ? [approveOf(id), cancelOf(id)] : [cancelOf(id), approveOf(id)]
    const answers = answersOf(await arena.race(requests))
    const isSerial = answers['200'] === 2 || (answers['200'] === 1 && answers['409 not_approvable'] === 1)
    const { status } = await arena.service.read(id)
    arena.expect(
      isSerial && status === 'cancelled',
      () => `${id} is ${status} after ${JSON.stringify(answers)}`,
    )
  })
}

/** Once the revocation is answered, the key releases nothing in any process. */
async function raceRevocation(arena: Arena): Promise<string[]> {
  const config = readConfig(arena.service.environment)
  const tenant = { accountId: arena.service.accountId, mode: 'test' } as const
  const approved: string[] = []
  await administer(config, async (admin) => {
    for (const id of await createMany(arena, arena.rounds(10))) {
      const { id: keyId, token } = await arena.service.issueKey(admin)
      const [late = ''] = await createMany(arena, 1)
      const revoked = admin.inTenant(tenant, (ctx) => revokeKey(ctx, keyId))
      const [answers] = await Promise.all([
        arena.race([approveOf(id, { key: token }), approveOf(id, { key: token })]),
        revoked,
      ])
      const counts = answersOf(answers)
      const { status } = await arena.service.read(id)
      const expected = counts['200'] === 1 ? 'approved' : 'awaiting_approval'
      const isSerial =
        status === expected &&
        answers.every((one) => one.status === 200 || one.status === 401 || codeOf(one) === 'not_approvable')
      arena.expect(isSerial, () => `${id} is ${status} after ${JSON.stringify(counts)} beside a revocation`)
      if (status === 'approved') approved.push(id)
      const after = answersOf(
        await arena.race([approveOf(late, { key: token }), approveOf(late, { key: token })]),
      )
      arena.expect(
        after['401 unauthorized'] === 2,
        () => `a revoked key was answered ${JSON.stringify(after)}`,
      )
    }
  })
  return approved
}

/** Fifty equal requests with one key make one object, and all get it as their answer. */
async function raceOneKey(arena: Arena): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const bought: string[] = []
  for (let round = 0; round < arena.rounds(2); round++) {
    const [pending = ''] = await createMany(arena, 1, profile)
    const person = {
      first_name: 'Ada',
      last_name: `Lovelace ${round}`,
      email: 'ada@example.com',
      country: 'US',
    }
    const makers: [string, Racing, number[]][] = [
      ['profile', { method: 'POST', path: '/v1/profiles', body: person }, [201]],
      [
        'policy',
        { method: 'POST', path: '/v1/policies', body: { ...policyOf(profile, null), name: `Key ${round}` } },
        [201],
      ],
      ['purchase', purchaseOf(profile), [200, 201]],
      ['approval', approveOf(pending), [200]],
    ]
    for (const [what, request, statuses] of makers) {
      const headers = { 'idempotency-key': `race-${what}-${round}` }
      const answers = await arena.race(Array.from({ length: 50 }, () => ({ ...request, headers })))
      const ids = new Set(answers.map(({ body }) => memberOf(body, 'id')))
      const isOne =
        ids.size === 1 && !ids.has(undefined) && answers.every(({ status }) => statuses.includes(status))
      const fresh = answers.filter(({ headers: given }) => given['idempotent-replayed'] !== 'true').length
      arena.expect(
        isOne && fresh === 1,
        () =>
          `one key, fifty times ${what}: ${JSON.stringify(answersOf(answers))}, ${ids.size} objects, ${fresh} fresh`,
      )
    }
    bought.push(pending)
  }
  return bought
}

/** There is one designated responder, also when two destinations become it at the same moment. */
async function raceResponders(arena: Arena): Promise<undefined> {
  const { keys } = await administer(readConfig(arena.service.environment), (admin) =>
    admin.openAccount('Two destinations'),
  )
  const key = keys.secret_test
  await arena.ask(
    { method: 'POST', path: '/v1/merchant', key, body: { name: 'Two destinations', currency: 'USD' } },
    200,
  )
  const create = async (name: string) => {
    const body = {
      name,
      responds_to_quotes: false,
      event_types: ['order.requested'],
      webhook: { endpoint_url: 'http://127.0.0.1:9/hooks' },
    }
    const { id } = await arena.ask({ method: 'POST', path: '/v1/merchant/destinations', key, body }, 201)
    return `/v1/merchant/destinations/${id}`
  }
  const paths = [await create('One'), await create('Two')]
  for (let round = 0; round < arena.rounds(20); round++) {
    const claim = paths.map((path) => ({ method: 'POST', path, key, body: { responds_to_quotes: true } }))
    const answers = await arena.race(claim)
    const counts = answersOf(answers)
    arena.expect(
      counts['200'] === 1 && counts['409 responder_conflict'] === 1,
      () => `two responders at once: ${JSON.stringify(counts)}`,
    )
    const winner = paths[answers.findIndex(({ status }) => status === 200)] ?? ''
    await arena.ask({ method: 'POST', path: winner, key, body: { responds_to_quotes: false } }, 200)
  }
}

/** Cancelled while workers run: either nothing was charged, or the cancel was refused. The comparison at the end decides. */
async function raceExecution(arena: Arena): Promise<string[]> {
  const ids = await createMixed(arena, arena.rounds(24), { from: withPages })
  await eachOf([...ids.entries()], 4, async ([index, id]) => {
    await arena.ask(approveOf(id), 200)
    const isAtPages = withPages[index % withPages.length] === 'browser'
    const looks = Math.floor(arena.random() * (isAtPages ? 600 : 12))
    for (let look = 0; look < looks; look++) await arena.ask(readOf(id), 200)
    const [answer] = await arena.race([cancelOf(id)])
    const isKept = answer?.status === 200 || (answer !== undefined && codeOf(answer) === 'not_cancellable')
    arena.expect(isKept, () => `a cancel of ${id} was answered ${answer?.status} ${answer?.text}`)
  })
  return ids
}

/** Approved purchases that will fail and can be tried again. */
async function orderDoomed(arena: Arena): Promise<string[]> {
  const ids = await createMixed(arena, arena.rounds(20), { goods: refused, from: withPages })
  for (const id of ids) await arena.ask(approveOf(id), 200)
  return ids
}

async function raceRetries(arena: Arena, ids: readonly string[]): Promise<undefined> {
  await eachOf(ids, 4, async (id) => {
    const answers = answersOf(await arena.race([1, 2, 3, 4].map(() => retryOf(id))))
    const { status, carts } = await arena.service.read(id)
    const isOne = answers['200'] === 1 && answers['409 not_retryable'] === 3
    const attempts = carts.map((cart) => memberOf(cart, 'attempt_number'))
    arena.expect(
      isOne && status === 'approved' && attempts.join() === '2',
      () => `four retries of ${id} (${status}, attempt ${attempts}): ${JSON.stringify(answers)}`,
    )
  })
}

async function compare(arena: Arena, ids: readonly string[]): Promise<undefined> {
  const open = await arena.service.agree(ids, arena.rounds(120_000))
  arena.expect(open.length === 0, () => open.slice(0, 20).join('\n'))
}
