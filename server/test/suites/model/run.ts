import fc from 'fast-check'
import { cartMachine, firstStatus, intentMachine } from '../../../src/domain/buying/intents/machine.ts'
import { memberOf } from '../client.ts'
import { accountArbitraries, thaw } from './account-commands.ts'
import type { Command } from './commands.ts'
import { createArbitrary } from './create-command.ts'
import { decisionArbitraries } from './decision-commands.ts'
import { keyArbitraries } from './key-commands.ts'
import type { Lane } from './lane.ts'
import { day, hour, isUnknown, type Model, type ModelIntent, sellerNames, sum, terminal } from './model.ts'
import { expectUsage, policyArbitraries } from './policy-commands.ts'
import { bodyOf, expectAsForetold, type Lie, openRun, type Real, type Seller, type World } from './real.ts'
import { sellerArbitraries } from './seller-commands.ts'
import { expectStrangers } from './strangers.ts'
import { pass, work, worldArbitraries } from './world-commands.ts'

/** Moments to begin at: about to cross a day, a week, a month, a leap day, a year; and changes of the clocks in Europe and America. */
const starts = [
  '2026-01-14T10:00:00.000Z',
  '2026-02-28T23:00:00.000Z',
  '2028-02-28T20:40:00.000Z',
  '2026-03-29T00:20:00.000Z',
  '2026-11-01T05:00:00.000Z',
  '2026-12-31T22:40:00.000Z',
  '2026-05-31T23:40:00.000Z',
].map((at) => new Date(at))

/** The time at which a history begins, and the number of our merchants in it. */
const worlds: fc.Arbitrary<World> = fc.record({
  start: fc.constantFrom(...starts),
  sellers: fc.integer({ min: 1, max: sellerNames.length }),
})

type RunPlan = {
  seed: number
  runs: number
  /** The replay path of a failure: that of fast-check, a slash, and that of its commands. */
  path: string | null
  lie: Lie | null
  shrinks: boolean
  seen: (model: Model, commands: number) => void
}

/** Histories of all lengths, some forty commands on average. */
const commandsMax = 105

/** Runs histories on one lane. Answers the failure, made as small as possible, or null. */
export async function runHistories(
  lane: Lane,
  sellers: readonly Seller[],
  plan: RunPlan,
): Promise<string | null> {
  // The replay path of fast-check may hold slashes itself.
  const [, path, replayPath] = /^([^/]*)\/(.*)$/.exec(plan.path ?? '') ?? []
  const histories = fc.commands(arbitraries(), {
    maxCommands: commandsMax,
    size: 'max',
    ...(replayPath ? { replayPath } : {}),
  })
  const property = fc.asyncProperty(worlds, histories, async (world, commands) => {
    const counted: Counted = { executed: 0 }
    const setup = await openRun(lane, sellers, world, plan.lie)
    try {
      await fc.asyncModelRun(() => setup, counting(commands, counted))
      await windDown(setup.model, setup.real)
      plan.seen(setup.model, counted.executed)
    } finally {
      await lane.abandon()
      lane.complaints()
    }
  })
  const details = await fc.check(property, {
    seed: plan.seed,
    numRuns: plan.runs,
    endOnFailure: !plan.shrinks,
    ...(path ? { path } : {}),
  })
  if (!details.failed) return null
  return failureOf(details)
}

type Counted = { executed: number }

/** The same commands, counted as they run; their own text and replay path stay. */
function counting(commands: Iterable<Command>, counted: Counted): Iterable<Command> {
  return {
    *[Symbol.iterator]() {
      for (const one of commands) {
        const run = one.run.bind(one)
        one.run = async (model, real) => {
          counted.executed += 1
          await run(model, real)
        }
        yield one
      }
    },
  }
}

function arbitraries(): fc.Arbitrary<Command>[] {
  const weighted = [
    { weight: 14, arbitrary: createArbitrary },
    ...decisionArbitraries,
    ...worldArbitraries,
    ...sellerArbitraries,
    ...keyArbitraries,
    ...accountArbitraries,
    ...policyArbitraries,
  ]
  return [fc.oneof(...weighted)]
}

function failureOf(details: fc.RunDetails<[World, Iterable<Command>]>): string {
  const [world, commands] = details.counterexample ?? []
  const text = String(commands)
  const replay = /replayPath="([^"]*)"/.exec(text)?.[1] ?? ''
  const list = text.replace(/\/\*.*\*\//, '').split(/,(?=[a-z ]+(?: |$))/)
  const error = details.errorInstance
  return [
    `${error instanceof Error ? error.message : String(error)}`,
    `begins at ${world?.start.toISOString()} with ${world?.sellers} sellers, after ${details.numShrinks} shrinks:`,
    ...list.map((one) => `  ${one}`),
    `repeat with: npm run suite -- model --seed ${details.seed} --only '${details.counterexamplePath}/${replay}'`,
  ].join('\n')
}

/** A run ends when nothing is left to wait for. Then everything must be accounted for. */
async function windDown(model: Model, real: Real): Promise<void> {
  await thaw(model, real)
  for (const ms of [0, 25 * hour, 8 * day]) {
    if (ms > 0) await pass(model, real, real.lane.clock.now(), ms)
    await work(model, real)
  }
  for (const intent of model.intents) {
    if (!terminal.includes(intent.status))
      throw new Error(`a purchase never ends: ${intent.id} ${intent.status}`)
    await expectAsForetold(real, intent)
    await expectHistory(real, intent)
    await expectMoney(real, intent)
    await expectStrangers(model, real, intent)
  }
  for (const policy of model.policies) await expectUsage(model, real, policy)
  const due = await real.lane.nextDue(new Date(8.64e15))
  if (due !== null) throw new Error(`something is still due at ${due.toISOString()}`)
}

/**
 * S1, S2, S3: every event in its place, every step in the published tables. Readers of the events can follow each
 * object by them: the events of a purchase alone show its state.
 */
async function expectHistory(real: Real, intent: ModelIntent): Promise<void> {
  const path = `/v1/purchase_intents/${intent.id}/events?limit=200`
  const { data } = bodyOf(await real.send({ method: 'GET', path, key: real.keys.reader.token }), [200])
  const events = Array.isArray(data) ? data : []
  const types = events.map((event) => String(memberOf(event, 'type')))
  if ([...types].sort().join() !== [...intent.events].sort().join())
    throw new Error(
      `the events of ${intent.id} are\n  ${types.join(' ')}\nforetold\n  ${intent.events.join(' ')}`,
    )
  const gap = events.findIndex((event, index) => memberOf(event, 'sequence') !== index + 1)
  if (gap >= 0) throw new Error(`the events of ${intent.id} have no number ${gap + 1}`)
  const statuses = new Map<string, string>()
  let hasBegun = false
  for (const event of events) {
    const data = memberOf(event, 'data')
    const shown = memberOf(data, 'purchase_intent')
    const all = memberOf(shown, 'carts') ?? [memberOf(data, 'cart')]
    const carts: unknown[] = Array.isArray(all) ? all : []
    hasBegun ||= memberOf(event, 'type') === 'purchase_intent.started'
    if (carts.length > 0 && !hasBegun) throw new Error(`${intent.id} has carts before it begins`)
    if (shown !== undefined)
      step(intentMachine, statuses, intent.id, memberOf(shown, 'status'), Object.values(firstStatus))
    for (const cart of carts)
      step(cartMachine, statuses, String(memberOf(cart, 'id')), memberOf(cart, 'status'), null)
  }
  for (const { id, status } of [intent, ...intent.carts]) {
    const heard = statuses.get(id)
    if (heard !== status) throw new Error(`${id} is ${status}, and its events end with ${heard ?? 'nothing'}`)
  }
}

function step(
  table: Readonly<Record<string, Readonly<Record<string, string>>>>,
  statuses: Map<string, string>,
  id: string,
  to: unknown,
  firsts: readonly string[] | null,
): void {
  if (typeof to !== 'string') throw new Error(`an event of ${id} shows no status`)
  const from = statuses.get(id)
  const isKnown =
    from === undefined
      ? (firsts?.includes(to) ?? true)
      : from === to || Object.values(table[from] ?? {}).includes(to)
  if (!isKnown) throw new Error(`${id} went from ${from ?? 'nothing'} to ${to}, which no table knows`)
  statuses.set(id, to)
}

/** M1, M2, M3, M6: the rail kept the amount that we show as charged, once and within the cap, and holds nothing any more. */
async function expectMoney(real: Real, intent: ModelIntent): Promise<void> {
  for (const cart of intent.carts) {
    const memory = await real.lane.rail.memoryOf(`${intent.id}/${cart.id}`)
    const kept = memory.captured - memory.refunded
    const owed = isUnknown(cart)
      ? cart.charged
      : cart.status === 'succeeded'
        ? cart.actual - sum(cart.order?.refunds ?? [])
        : 0
    const wrong = [
      ...(kept === owed ? [] : [`the rail keeps ${kept} for ${owed}`]),
      ...(kept > cart.cap ? [`${kept} is above the cap ${cart.cap}`] : []),
      ...(memory.captures > 1 ? [`${memory.captures} captures`] : []),
      ...(memory.open > 0 ? [`${memory.open} authorizations are open`] : []),
    ]
    if (wrong.length > 0) throw new Error(`cart ${cart.id} (${cart.status}): ${wrong.join(', ')}`)
  }
}
