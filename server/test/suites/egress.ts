import fc from 'fast-check'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { checkTargetUrl, isAddressAllowed } from '../../src/platform/egress/target.ts'
import { startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { newDestination, startDeliverer, tellMerchant } from '../harness/deliveries.ts'
import { type Canary, startCanary } from './egress/canary.ts'
import { checkDeliveries, checkDoors } from './egress/doors.ts'
import { type Form, urlForms } from './egress/forms.ts'
import { checkNames, checkRedirects, hostileNames, openHostileEgress, outcomeOf } from './egress/names.ts'
import { openTeller } from './receivers/teller.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { startService } from './whole-product.ts'

const sizes = {
  gate: { forms: 20_000, requests: 400, deliveries: 60 },
  long: { forms: 200_000, requests: 6000, deliveries: 600 },
} as const

/** No form of an address that users name leads to this machine or to a network that is not public: a canary listens, and hears nothing. */
export async function runEgress(run: SuiteRun): Promise<void> {
  const { size, seed, tally } = run
  const plan = sizes[size]
  const canary = await startCanary()
  try {
    checkForms(canary, seed, plan.forms, tally)
    checkBlindness(canary, seed, tally)
    await checkNames(canary, tally)
    await checkRedirects(canary, tally)
    await checkNamedDeliveries(run)
    await checkProduct(run, canary)
    tally.figure('ports with a canary', canary.ports.length)
    tally.figure('canary hits', canary.hits())
    if (canary.hits() === 0) tally.pass()
    else tally.fail(`canary was connected to ${canary.hits()} times, at ${canary.seen()}`)
    await checkCanary(canary, tally)
  } finally {
    await canary.stop()
  }
}

type Check = (url: string) => boolean

const productCheck: Check = (url) => checkTargetUrl(url, { allowLoopback: false }).ok

/** The first form that a check wrongly lets in, or refuses though it is public; null when no form of so many is judged wrongly. */
function findHole(
  check: Check,
  { canary, seed, runs }: { canary: Canary; seed: number; runs: number },
): Form | null {
  const isRight = ({ url, standing }: Form) => standing === 'either' || check(url) === (standing === 'public')
  const result = fc.check(fc.property(urlForms(canary.ports), isRight), { seed, numRuns: runs })
  return result.failed ? (result.counterexample?.[0] ?? null) : null
}

function checkForms(canary: Canary, seed: number, runs: number, tally: Tally): void {
  const standings = { inside: 0, public: 0, either: 0 }
  for (const { standing } of fc.sample(urlForms(canary.ports), { seed, numRuns: 2000 }))
    standings[standing] += 1
  if (Math.min(...Object.values(standings)) < 100)
    tally.fail(`forms are lopsided: ${JSON.stringify(standings)}`)
  const startedMs = performance.now()
  const hole = findHole(productCheck, { canary, seed, runs })
  if (hole === null) tally.pass(runs)
  else tally.fail(`form ${JSON.stringify(hole)} was ${productCheck(hole.url) ? 'let in' : 'refused'}`)
  tally.figure('URLs through the check', runs)
  tally.figure(
    'of 2,000 of them',
    Object.entries(standings)
      .map((one) => one.reverse().join(' '))
      .join(', '),
  )
  tally.figure('microseconds each', Math.round(((performance.now() - startedMs) * 1000) / runs))
}

/** Checks as people write them. Each has a hole, which this suite must find. */
const blindChecks: Readonly<Record<string, Check>> = {
  'a list of prefixes': (url) =>
    !/^https:\/\/(?:127\.|10\.|192\.168\.|169\.254\.|localhost|\[::1\])/i.test(url),
  'a parsed host against prefixes': (url) => {
    const { protocol, hostname = '' } = URL.parse(url) ?? {}
    return (
      protocol === 'https:' &&
      !/^(?:0|10|127|169\.254|172|192|198|203|2[2-5]\d)\.|localhost|\[/.test(hostname)
    )
  },
  'version 4 alone': (url) => productCheck(url) || /^https:\/\/\[/.test(url),
  'no look at user names': (url) => productCheck(url.replace(/\/\/[^/]*@/, '//')),
  'no look at shared addresses': (url) =>
    productCheck(url) || URL.parse(url)?.hostname.startsWith('100.') === true,
  'refusing everything': () => false,
}

function checkBlindness(canary: Canary, seed: number, tally: Tally): void {
  for (const [name, check] of Object.entries(blindChecks)) {
    // A URL with a user name is always refused, so a check without names shows its hole only in forms that are otherwise public.
    const runs = 20_000
    if (findHole(check, { canary, seed, runs }) !== null) tally.pass()
    else tally.fail(`blind check (${name}) was not seen through in ${runs} forms`)
  }
  const texts = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0.0.0.0',
    '::',
    'fe80::1%lo',
    '2130706433',
  ]
  for (const text of texts) {
    if (isAddressAllowed(text, { allowLoopback: false })) tally.fail(`address ${text} is allowed`)
    else tally.pass()
  }
}

/** Deliveries to names that lead inside fail, and the API shows that they did. */
async function checkNamedDeliveries({ server, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({ server })
  const hostile = await openHostileEgress()
  const deliverer = startDeliverer(app, hostile.egress)
  try {
    const made: { id: string; name: string }[] = []
    for (const name of hostileNames) {
      const { id } = await newDestination(app, `https://${name}/hooks`)
      made.push({ id, name })
    }
    await tellMerchant(app, app.account, [{}])
    await deliverer.drain()
    for (const { id, name } of made) {
      const { body } = await app.get(`/v1/merchant/destinations/${id}/events`)
      const [delivery] = body.data
      const [attempt] = delivery?.attempts ?? []
      if (delivery?.status === 'failed' && attempt?.error === 'blocked_address') tally.pass()
      else tally.fail(`delivery to ${name} is ${delivery?.status}: ${JSON.stringify(attempt)}`)
    }
  } finally {
    await deliverer.stop()
    await hostile.stop()
    await app.stop()
  }
}

/** The product's own processes, configured as in production. */
async function checkProduct({ server, size, seed, tally }: SuiteRun, canary: Canary): Promise<void> {
  const plan = sizes[size]
  const database = await createTestDatabase({ server })
  const service = await startService({ workers: 0, testClock: true, databaseUrl: database.url })
  const closed = { PROKURA_ALLOW_LOOPBACK: 'off' }
  try {
    const [api] = await Promise.all([service.startRole('api', closed), service.startRole('worker', closed)])
    const teller = await openTeller(service)
    const run = { service, client: service.client(String(api.ready.base_url)), canary, tally, seed }
    try {
      await checkDoors(run, plan.requests)
      await checkDeliveries(run, teller, plan.deliveries)
    } finally {
      await teller.close()
    }
    await service.audit(tally)
  } finally {
    await service.stop()
    await database.drop()
  }
}

/** An egress that admits loopback does reach the canary, so the canary can hear. */
async function checkCanary(canary: Canary, tally: Tally): Promise<void> {
  const [port = 0] = canary.ports
  const open = createEgress({ allowLoopback: () => true, trustedOrigins: [] })
  try {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '\uff11\uff12\uff17.\uff10.\uff10.\uff11',
      'localhost',
    ]) {
      const before = canary.hits()
      await outcomeOf(open, { url: `http://${host}:${port}/` })
      if (canary.hits() > before) tally.pass()
      else tally.fail(`canary did not hear an open egress at ${host}`)
    }
  } finally {
    await open.close()
  }
}
