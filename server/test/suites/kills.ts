import { setTimeout as delay } from 'node:timers/promises'
import { memberOf, type Sent } from './client.ts'
import { seededRandom, shuffled } from './random.ts'
import { eachOf, type SuiteRun, type Tally } from './suite.ts'
import { bodyOf, newProfile, type Service, startService } from './whole-product.ts'

/** What was wished for, and what of it the service has acknowledged. */
type Wish = {
  number: number
  transport: 'rest' | 'mcp'
  items: object[]
  isUnattended: boolean
  id: string | null
}

type Load = {
  service: Service
  /** Where the APIs listen now: one that was started again may have moved. */
  bases: () => string[]
  random: () => number
  attended: string
  unattended: string
  /** Told of every acknowledged write. */
  acknowledged: () => void
}

const wishes = 48
const killsPerRound = 8
/** Longer than any process takes to be there again, shorter than a suite may hang. */
const patienceMs = 30_000
const leftAloneMs = 60_000

/** Purchases under way while every process of the service is killed: nothing acknowledged is lost, and nothing is bought twice. */
export async function runKills({ size, seed, tally }: SuiteRun): Promise<void> {
  const rounds = size === 'long' ? 250 : 1
  for (let round = 0; round < rounds; round++) await runRound(seededRandom(seed + round), tally)
}

async function runRound(random: () => number, tally: Tally): Promise<void> {
  const service = await startService({ workers: 2, databaseUrl: null })
  try {
    const second = await service.startRole('api')
    const unattended = await newProfile(service)
    await allowUnattended(service, unattended)
    const kills = createKills({ random, pidsNow: () => ({ ...service.pids(), api_2: second.pid }) })
    const bases = () => [service.ready.base_url, String(second.ready.base_url)]
    const since = new Date().toISOString()
    const load: Load = {
      service,
      bases,
      random,
      attended: await newProfile(service),
      unattended,
      acknowledged: kills.onProgress,
    }
    const journal = Array.from({ length: wishes }, (_, number) => wishOf(number, random, service))
    await eachOf(journal, 4, (wish) => pursue(load, wish))
    await kills.finish()
    const startedMs = performance.now()
    const ids = journal.flatMap(({ id }) => (id === null ? [] : [id]))
    const open = await agreed(service, { ids, since, tally })
    if (open.length === 0) tally.pass(ids.length)
    for (const difference of open) tally.fail(difference)
    tally.figure('kills', kills.done.join(' '))
    tally.figure('acknowledged purchases', ids.length)
    tally.figure('all over after', `${Math.round((performance.now() - startedMs) / 100) / 10} s`)
    if (kills.done.length < killsPerRound) tally.fail(`only ${kills.done.length} processes were killed`)
    await service.audit(tally)
  } finally {
    await service.stop()
  }
}

/**
 * Everything is over within the time, but for purchases whose order still awaits its merchant: a backend that dies in two attempts of one
 * delivery is told again after five minutes only. For those, and for nothing else, the merchant asks for what it missed.
 */
async function agreed(
  service: Service,
  { ids, since, tally }: { ids: string[]; since: string; tally: Tally },
): Promise<string[]> {
  const open = await service.agree(ids, leftAloneMs)
  if (open.length === 0) return open
  const { base_url, keys } = service.ready
  const headers = { authorization: `Bearer ${keys.secret_test}`, 'content-type': 'application/json' }
  const late = [...new Set(open.flatMap((difference) => difference.match(/pi_[0-9a-z]+/) ?? []))]
  for (const id of late) {
    if (await awaitsMerchant(base_url, headers, id)) continue
    return [...open, `${id} is not over after ${leftAloneMs / 1000} s, and no merchant is to blame`]
  }
  tally.figure('awaiting a merchant after 60 s', late.length)
  const listed = await fetch(`${base_url}/v1/merchant/destinations`, { headers })
  const { data } = (await listed.json()) as { data: { id: string }[] } // the contract's list
  for (const { id } of data) {
    const path = `${base_url}/v1/merchant/destinations/${id}/recover`
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ since }) })
    if (!answer.ok) throw new Error(`recover answered ${answer.status}: ${await answer.text()}`)
  }
  return await service.agree(ids, leftAloneMs)
}

async function awaitsMerchant(base: string, headers: Record<string, string>, id: string): Promise<boolean> {
  const read = async (path: string): Promise<unknown> => (await fetch(`${base}${path}`, { headers })).json()
  const intent = (await read(`/v1/purchase_intents/${id}`)) as {
    carts: { status: string; order: string | null }[]
  }
  const running = intent.carts.filter(({ status }) => status === 'in_progress')
  const orders = await Promise.all(
    running.map(({ order }) => (order === null ? null : read(`/v1/orders/${order}`))),
  )
  return orders.length > 0 && orders.every((order) => memberOf(order, 'status') === 'awaiting_confirmation')
}

/** Kills the next process each time so many more writes were acknowledged: the load itself decides the moment. */
function createKills({ random, pidsNow }: { random: () => number; pidsNow: () => Record<string, number> }) {
  const once = shuffled(['worker', 'worker_2', 'api', 'api_2', 'sandbox', 'postgres'], random)
  const waiting = [...once, ...shuffled(['worker', 'worker_2'], random)]
  const done: string[] = []
  let untilNext = 5
  function killNext(): void {
    const [name] = waiting
    if (name === undefined || !kill(pidsNow()[name])) return
    waiting.shift()
    done.push(name)
    untilNext = 3 + Math.floor(random() * 4)
  }

  return {
    done,
    onProgress() {
      untilNext -= 1
      if (untilNext <= 0) killNext()
    },
    /** What is left to kill dies while the last purchases run. */
    async finish() {
      const deadline = performance.now() + patienceMs
      while (waiting.length > 0 && performance.now() < deadline) {
        killNext()
        await delay(50)
      }
    },
  }
}

/** False when the process is not there: it was killed before and is being started again. */
function kill(pid: number | undefined): boolean {
  if (pid === undefined || pid === 0) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

function wishOf(number: number, random: () => number, { ready }: Service): Wish {
  const shop = (scenario: string) => ({
    url: `https://shop-${number % 5}.example/thing?scenario=${scenario}`,
  })
  const native = (behaviour: 'ok' | 'rejected' | 'error_then_ok' | 'other_merchant') => ({
    url: ready.sandbox.items[behaviour],
  })
  const kinds = [
    [native('ok')],
    [shop('none')],
    [native('ok'), shop('none')],
    [native('rejected')],
    [shop('lost_answer_placed')],
    [shop('rejected'), native('other_merchant')],
    [native('error_then_ok')],
    [shop('late_confirmation')],
  ]
  const items = (kinds[number % kinds.length] ?? []).map((item) => ({
    ...item,
    quantity: 1,
    expected_amount: ready.sandbox.item_price,
    expected_currency: ready.sandbox.item_currency,
  }))
  return { number, transport: random() < 0.5 ? 'rest' : 'mcp', items, isUnattended: random() < 0.5, id: null }
}

/** Creates and, where a person must, approves; again and again under the same key until the service says that it did. */
async function pursue(load: Load, wish: Wish): Promise<void> {
  const { service } = load
  const body = { profile_id: wish.isUnattended ? load.unattended : load.attended, items: wish.items }
  const created = await insist(load, (base) =>
    wish.transport === 'mcp'
      ? service
          .client(base)
          .tool(
            'v1_create_purchase_intent',
            { ...body, idempotency_key: `wish-${wish.number}` },
            service.agent,
          )
      : post(service, base, {
          path: '/v1/purchase_intents',
          key: service.agent,
          name: `wish-${wish.number}`,
          body,
        }),
  )
  wish.id = String(memberOf(created.body, 'id'))
  load.acknowledged()
  if (wish.isUnattended) return
  const path = `/v1/purchase_intents/${wish.id}/approve`
  await insist(load, (base) =>
    post(service, base, { path, key: service.person, name: `yes-${wish.number}`, body: { approve: true } }),
  )
  load.acknowledged()
}

function post(
  service: Service,
  base: string,
  request: { path: string; key: string; name: string; body: object },
): Promise<Sent> {
  const { path, key, name, body } = request
  return service
    .client(base)
    .rest({ method: 'POST', path, key, headers: { 'idempotency-key': name }, body: JSON.stringify(body) })
}

/** A broken connection and a 5xx say nothing about what was done; any other refusal would be the service's word, and wrong. */
async function insist(load: Load, send: (base: string) => Promise<Sent>): Promise<Sent> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const bases = load.bases()
    const base = bases[Math.floor(load.random() * bases.length)] ?? ''
    const sent = await send(base).catch((error: unknown) => error)
    const answer = sent instanceof Error ? null : (sent as Sent) // what is no error is the answer
    if (answer && answer.status < 300) return answer
    if (answer && answer.status < 500 && answer.status !== 429)
      throw new Error(`answered ${answer.status} ${answer.text}`)
    if (performance.now() > deadline)
      throw new Error(`not acknowledged in ${patienceMs / 1000} s: ${answer?.text ?? String(sent)}`)
    await delay(50)
  }
}

async function allowUnattended(service: Service, profileId: string): Promise<void> {
  const body = {
    name: 'Unattended',
    currency: service.ready.sandbox.item_currency,
    scope: { profile_ids: [profileId] },
    limits: { per_transaction_max: 10_000, intervals: [{ interval: 'day', max_amount: 10_000_000 }] },
    approval: { mode: 'never' },
  }
  bodyOf(
    await service
      .client()
      .rest({ method: 'POST', path: '/v1/policies', key: service.person, body: JSON.stringify(body) }),
    201,
  )
}
