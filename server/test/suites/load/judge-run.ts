import { patience } from '../../gate/pace.ts'
import { contradictions, hearWitnesses, isStrange, type ToldPurchase } from '../../harness/witness.ts'
import { eachOf, type Tally } from '../suite.ts'
import { checkJudges } from './check-judges.ts'
import { judgeJournal, type Verdict } from './judge-journal.ts'
import { isOfSale, judgeSales } from './judge-sales.ts'
import { judgeStrangers } from './judge-strangers.ts'
import { judgeTrade } from './judge-trade.ts'
import { endEvidence, keepEvidence } from './keep-evidence.ts'
import { readStored } from './read-stored.ts'
import { readTrade, type TradeFacts } from './read-trade.ts'
import type { Trial } from './stage.ts'
import { readJournal } from './synced-journal.ts'

/**
 * Compares three testimonies of one run: what the database can show by itself, the answers that the driver got, and what the outside
 * world remembers. Each verdict names its invariant. For purchases that break one, everything stored is kept beside the journal.
 */
export async function judgeRun(stage: Trial, tally: Tally): Promise<void> {
  const { service, order, folder } = stage
  const url = service.ready.database_url
  const stored = await readStored(url, stage.seed)
  const ids = [...stored.purchases.values()].flat().map(({ id }) => id)
  const purchases: ToldPurchase[] = []
  await eachOf(ids, 16, async (id) => void purchases.push(await service.read(id)))
  const { testimony, traded } = await hearWhileStill(stage)
  const report = await service.invariants()
  // A purchase whose token pays a sale has no charge of its own at the processor: it is judged with the sales.
  const isOfStranger = (reference: string) =>
    stage.trade?.strangers.shops.some((shop) => reference.startsWith(`${shop}:`)) ?? false
  const byToken = new Set(traded?.sales.tokens.map(({ intent }) => intent))
  const outside = contradictions(
    purchases.filter(({ id }) => !byToken.has(id)),
    testimony,
    (reference) =>
      !isOfSale(reference) && !isOfStranger(reference) && !byToken.has(reference.split('/')[0] ?? ''),
  )
  const journal = readJournal(order.journal)
  const { quotes = [], orders = [] } = traded ?? {}
  const verdicts: Verdict[] = [
    ...judgeJournal(journal, { ...stored, quotes, orders }),
    ...(traded === null
      ? []
      : [
          ...judgeTrade(traded, testimony),
          ...judgeSales(traded.sales, testimony, journal),
          ...judgeStrangers(traded.strangers),
        ]),
    ...report.invariants,
    ...outsideVerdicts(outside, ids.length),
    deliveriesVerdict(testimony.merchant),
  ]
  for (const { id, violations } of verdicts) {
    if (violations.length === 0) tally.pass()
    for (const violation of violations) tally.fail(`${id} ${violation}`)
  }
  const broken = verdicts.flatMap(({ violations }) => violations)
  const charges = testimony.processor.filter(
    ({ operation, result }) => operation === 'capture' && result === 'approved',
  )
  tally.figure('purchases', ids.length)
  tally.figure('charges', charges.length)
  if (traded !== null) {
    tellTrade(traded, tally)
    checkJudges({ journal, stored, traded, testimony }, tally)
  }
  tally.figure('acknowledged writes', verdicts.find(({ id }) => id === 'W1')?.checked ?? 0)
  tally.figure('invariants checked', [...new Set(verdicts.map(({ id }) => id))].sort().join(' '))
  if (broken.length > 0) await keepEvidence({ folder, url }, broken, { testimony, traded })
  endEvidence(folder, tally)
}

/** Both sides at one moment: an event that is sent again while one side is read would be missing from the other. */
async function hearWhileStill({ service, world, seed, trade }: Trial) {
  let testimony = await hearWitnesses(world.logs)
  const wait = patience(30_000)
  for (;;) {
    const url = service.ready.database_url
    const traded = trade === null ? null : await readTrade({ seed, url, trade }, testimony.merchant)
    const later = await hearWitnesses(world.logs)
    if (later.merchant.length === testimony.merchant.length || wait.isOver()) return { testimony, traded }
    testimony = later
  }
}

function tellTrade(
  { quotes, quoted, orders, several, promotion, sales, strangers, listener }: TradeFacts,
  tally: Tally,
): void {
  const refunds = orders.flatMap((order) => order.refunds)
  tally.figure('quotes', `${quotes.length}, ${quoted.length} bought`)
  tally.figure('refunds', `${refunds.length} of ${orders.length} orders`)
  const retried = several.flatMap(({ purchase }) => purchase.carts.flatMap((cart) => cart.attempt_number - 1))
  tally.figure(
    'from several merchants',
    `${several.length}, ${retried.filter((times) => times > 0).length} carts tried again, ${retried.filter((times) => times > 1).length} twice`,
  )
  const by = (state: string) => sales.sales.filter((sale) => sale.state === state).length
  tally.figure(
    'sales over UCP',
    `${sales.sales.length}, ${by('captured')} captured, ${by('released')} released`,
  )
  const used = sales.tokens.filter(({ order }) => order !== null).length
  tally.figure('payment tokens', `${sales.tokens.length}, ${used} used`)
  tally.figure('carts at strangers', tellStrangers(strangers))
  tally.figure('uses of a promotion', `${promotion.uses} of ${promotion.cap}`)
  tally.figure('events that buyers heard', `${listener.owed.length} in ${listener.heard.length} requests`)
}

function tellStrangers({ purchases, charges }: TradeFacts['strangers']): string {
  const carts = purchases.flatMap((one) => one.carts.filter(isStrange))
  const by = (channel: string) => {
    const all = carts.filter((cart) => cart.channel === channel)
    return `${channel} ${all.length}, ${all.filter(({ status }) => status === 'succeeded').length} bought`
  }
  return `${['ucp', 'mpp', 'browser'].map(by).join('; ')}; ${charges.length} charges`
}

/** Contradictions begin with the id of what they break. */
function outsideVerdicts(found: readonly string[], checked: number): Verdict[] {
  const byId = Map.groupBy(found, (text) => text.slice(0, text.indexOf(' ')))
  return ['M1', 'M2', 'M3', 'M6', 'W2', 'W3'].map((id) => ({
    id: `${id}-outside`,
    title: 'The outside world remembers it as we tell it',
    checked,
    violations: (byId.get(id) ?? []).map((text) => text.slice(id.length + 1)),
  }))
}

/** Every delivery at the merchants' backend was signed, however often and late it came. */
function deliveriesVerdict(log: readonly { kind: string; event_id?: string; verified?: boolean }[]): Verdict {
  const deliveries = log.filter(({ kind }) => kind === 'delivery')
  return {
    id: 'E4-outside',
    title: 'Every delivery was signed as its merchant expects',
    checked: deliveries.length,
    violations: deliveries.flatMap(({ verified, event_id }) =>
      verified === false ? [`${event_id} was not`] : [],
    ),
  }
}
