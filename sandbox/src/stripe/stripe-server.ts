import { join } from 'node:path'
import { openDurableLog } from '../durable-log.ts'
import { integer } from '../fields.ts'
import {
  type Answer,
  type Call,
  json,
  list,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { accountOf } from './accounts.ts'
import { balanceTransactionOperations } from './balance-transactions.ts'
import { confirmationPages } from './confirmation-pages.ts'
import { connectedAccountOperations, onboardingPages } from './connected-accounts.ts'
import { customerOperations } from './customers.ts'
import { disputeControls } from './disputes/controls.ts'
import { disputeOperations } from './disputes/disputes.ts'
import { endpointsOf, openDeliveries } from './events/deliveries.ts'
import { endpointOperations } from './events/endpoints.ts'
import { eventOperations } from './events/events.ts'
import { type Noticed, noticedIn } from './events/noticed.ts'
import { parseFaultRule } from './faults.ts'
import { fieldsOf } from './form.ts'
import { tokenOperations } from './granted-tokens.ts'
import { authorizationOperations } from './issuing/authorizations.ts'
import { balanceOperations } from './issuing/balance.ts'
import { cardNetwork } from './issuing/card-network.ts'
import { cardholderOperations } from './issuing/cardholders.ts'
import { cardOperations } from './issuing/cards.ts'
import { issuingControls } from './issuing/controls.ts'
import { transactionOperations } from './issuing/transactions.ts'
import { type Exchange, type Judge, openJudge } from './judge/judge.ts'
import { answer, type Stripe } from './keyed-answers.ts'
import { emptyMemory, type Fact, type Memory, nowOf, remember, type StripeEvent } from './memory.ts'
import { ownAccountOperations } from './own-account.ts'
import { paymentIntentOperations } from './payment-intents.ts'
import { paymentMethodOperations } from './payment-methods.ts'
import { refundOperations } from './refunds.ts'
import { scriptRoutes } from './script.ts'
import { setupIntentOperations } from './setup-intents.ts'
import { transferOperations } from './transfers/transfers.ts'
import { newId } from './work.ts'

/** Names the file of Stripe's description by which tests have each request and answer judged. */
const descriptionPath = 'STRIPE_DESCRIPTION'

/**
 * The part of Stripe's API that the service uses, with its idempotent keys, its late search, its clock, and a memory of its own. What it
 * answers is typed by Stripe's own package, whose types are made from the published description of the interface; what it is sent it takes
 * apart to the last parameter.
 */
export async function startStripe(options: {
  stateDir: string
  port: number
  controlToken: string
}): Promise<RunningServer> {
  const memory = emptyMemory()
  const log = await openDurableLog<Fact>(join(options.stateDir, 'stripe.jsonl'), (fact) =>
    remember(memory, fact),
  )
  const described = process.env[descriptionPath]
  const judge = described === undefined ? null : openJudge(described)
  let url = ''
  const deliveries = openDeliveries(memory, () => url)
  const keep = (fact: Fact) => {
    remember(memory, fact)
    void log.append(fact)
  }
  const stripe: Stripe = {
    memory,
    commit: (...facts) => {
      const noticed: Noticed[] = []
      for (const fact of facts) {
        noticed.push(...noticedIn(memory, fact))
        keep(fact)
      }
      for (const one of noticed) {
        const endpoints = endpointsOf(memory, one)
        const value = eventOf(memory, one, endpoints.length)
        keep({ kind: 'event', value })
        deliveries.send(value, endpoints)
      }
    },
    told: () => deliveries.early(),
  }
  const server = await serveJson({
    port: options.port,
    routes: [
      ...operationRoutes(stripe, judge),
      ...confirmationPages(memory, stripe.commit),
      ...onboardingPages(memory, stripe.commit),
      ...cardNetwork(stripe),
      ...scriptRoutes,
      ...controls(stripe),
      ...issuingControls(stripe),
      ...disputeControls(stripe),
      ...deliveries.controls,
      { method: 'GET', path: '/differences', handle: () => json(200, judge?.differences ?? []) },
    ],
    settled: () => log.durable(),
    controlToken: options.controlToken,
  })
  url = server.url
  return {
    url,
    async close() {
      deliveries.close()
      await server.close()
      await log.close()
      // Of a test that has it in its own process, and asks for nothing at its end.
      if (judge && judge.differences.length > 0) throw new Error(judge.differences.join('\n'))
    },
  }
}

function eventOf(memory: Memory, noticed: Noticed, endpoints: number): StripeEvent {
  return { id: newId('evt'), ...noticed, endpoints, created_ms: nowOf(memory) }
}

function operationRoutes(stripe: Stripe, judge: Judge | null): Route[] {
  return [
    ...ownAccountOperations,
    ...customerOperations,
    ...paymentMethodOperations,
    ...setupIntentOperations,
    ...paymentIntentOperations,
    ...refundOperations,
    ...disputeOperations,
    ...transferOperations,
    ...eventOperations,
    ...endpointOperations,
    ...tokenOperations,
    ...cardholderOperations,
    ...cardOperations,
    ...authorizationOperations,
    ...transactionOperations,
    ...balanceOperations,
    ...balanceTransactionOperations,
    ...connectedAccountOperations,
  ].map(({ method, path, operation, work, isForPages = false }) => ({
    method,
    path,
    handle: async (call) => {
      const said = await answer(stripe, { call, operation, work, isForPages, isChange: method !== 'GET' })
      if (said.kind === 'json') judge?.hear(exchangeOf(call, { operation: `${method} ${path}`, said }))
      return said
    },
  }))
}

function exchangeOf(
  call: Call,
  { operation, said }: { operation: string; said: Extract<Answer, { kind: 'json' }> },
): Exchange {
  const isByPackage = call.header('user-agent')?.startsWith('Stripe/')
  return {
    operation,
    version: call.header('stripe-version'),
    by: accountOf(call)?.isPage ? 'page' : isByPackage ? 'package' : 'others',
    fields: fieldsOf(call),
    status: said.status,
    body: said.body,
  }
}

/** What tests do to it: faults, forgotten keys, a search that is late, a clock that is put forward. */
function controls({ memory, commit }: Stripe): Route[] {
  const control = { method: 'POST', isControl: true } as const
  return [
    {
      ...control,
      path: '/control/faults',
      handle: (call) => json(201, memory.faults[memory.faults.push(parseFaultRule(call.body())) - 1]),
    },
    {
      ...control,
      method: 'DELETE',
      path: '/control/faults',
      handle: () => json(200, { cleared: memory.faults.splice(0).length }),
    },
    {
      ...control,
      path: '/control/keys/forget',
      handle: () => {
        const forgotten = memory.keys.size
        commit({ kind: 'keys_forgotten' })
        return json(200, { forgotten })
      },
    },
    {
      ...control,
      path: '/control/search',
      handle: (call) => {
        memory.searchDelayMs = integer(call.body(), 'delay_ms', { min: 0, max: 3_600_000 })
        return json(200, { delay_ms: memory.searchDelayMs })
      },
    },
    {
      ...control,
      path: '/control/clock',
      handle: (call) => {
        const forward = integer(call.body(), 'forward_seconds', { min: 0, max: 400 * 86_400 }) * 1000
        commit({ kind: 'clock', aheadMs: memory.aheadMs + forward })
        return json(200, { ahead_seconds: memory.aheadMs / 1000 })
      },
    },
    {
      ...control,
      path: '/control/holds',
      handle: (call) => {
        memory.heldDays = integer(call.body(), 'days', { min: 0, max: 30 }) || null
        return json(200, { days: memory.heldDays })
      },
    },
    { method: 'GET', path: '/log', handle: () => list(memory.log) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'stripe' }) },
  ]
}
