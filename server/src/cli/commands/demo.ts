import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { keyPlaceholder, mcpConfiguration } from '../../contract/mcp-configuration.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import { isThere } from '../../platform/files/file-trouble.ts'
import { CommandFailure } from '../failure.ts'
import { money, note, out, outJson, styled } from '../terminal.ts'
import { askedPort, usualPort } from '../up/api-port.ts'
import { type ReadyLine, startUp } from '../up/start-up.ts'
import { openStateFolder } from '../up/state-folder.ts'
import { createDemoClient, type DemoClient, type TimelineEvent } from './demo-client.ts'
import { demoCard, demoProfile } from './demo-person.ts'

type Printer = {
  step(text: string): void
  event(event: TimelineEvent): void
  result(result: DemoResult): void
  /** Prints what to do after the demo. */
  next(next: Next): void
}

type Next = { start: string; mcp_configuration: object; guide: string }

type DemoResult = {
  transport: 'rest' | 'mcp'
  purchase_intent_id: string
  status: string
  actual_amount: number
  max_allowed_amount: number
  currency: string
  order_id: string | null
  /** What the payment processor itself remembers of this purchase: the number of captures, and their amount. */
  processor: { captures: number; captured_amount: number }
  elapsed_ms: number
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('Buy one item over REST and one over MCP, on a temporary database, and show every step.')
    .option('--json', 'print lines of JSON (default if the output is not a terminal)')
    .action(async (options: { json?: boolean }) => {
      const isJson = options.json ?? !process.stdout.isTTY
      const printer = isJson ? jsonPrinter() : terminalPrinter()
      const folder = await mkdtemp(join(tmpdir(), 'prokura-demo-'))
      const interrupted = new Promise<never>((_, reject) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.once(signal, () => reject(new CommandFailure('The demo was interrupted.')))
        }
      })
      try {
        const started = startUp({
          state: folder,
          port: 0,
          loopback: true,
          workers: 1,
          throwAway: true,
          onProgress: note,
          onWarning: note,
        })
        const up = await started
        try {
          await Promise.race([runDemo(up.ready, printer), interrupted])
        } finally {
          await up.stop()
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
      printer.next({
        start: 'npm start',
        mcp_configuration: mcpConfiguration(`http://127.0.0.1:${portToCome()}`, keyPlaceholder),
        guide: 'docs/buyers.md',
      })
    })
}

/** The port that `npm start` will use after this, unless it is taken. */
function portToCome(): number {
  const asked = askedPort(undefined)
  if (asked) return asked
  const folder = processEnvironment().PROKURA_STATE_DIR ?? '.prokura'
  return usualPort(isThere(folder) ? openStateFolder(folder, { create: false }) : { read: () => null })
}

async function runDemo(ready: ReadyLine, printer: Printer): Promise<void> {
  const client = createDemoClient(ready.base_url)
  const { secret_test: person, agent_test: agent } = ready.keys
  printer.step('A person is registered, with a card that agents may use')
  const profile = await client.rest(person, 'POST', '/v1/profiles', demoProfile)
  await client.rest(person, 'POST', `/v1/profiles/${profile.id}/payment_methods`, demoCard)
  const item = {
    url: ready.sandbox.item_url,
    quantity: 1,
    expected_amount: ready.sandbox.item_price,
    expected_currency: ready.sandbox.item_currency,
  }
  const wish = {
    profile_id: profile.id,
    items: [item],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
  }
  await buyOverRest({ ready, client, printer, person, agent, wish })
  await buyOverMcp({ ready, client, printer, person, agent, wish })
}

type Purchase = {
  ready: ReadyLine
  client: DemoClient
  printer: Printer
  person: string
  agent: string
  wish: object
}

/** No policy applies, so a person decides; the agent's own key cannot. */
async function buyOverRest({ ready, client, printer, person, agent, wish }: Purchase): Promise<void> {
  const startedAt = performance.now()
  printer.step('REST: the agent asks to buy; nobody has allowed it yet')
  const intent = await client.rest(agent, 'POST', '/v1/purchase_intents', wish)
  const refused = await client.attempt(agent, 'POST', `/v1/purchase_intents/${intent.id}/approve`, {
    approve: true,
  })
  if (refused.status !== 403)
    throw new CommandFailure(`The answer to the agent's approval was ${refused.status} instead of 403.`)
  printer.step('REST: the agent cannot approve its own purchase (403); the person does')
  await client.rest(person, 'POST', `/v1/purchase_intents/${intent.id}/approve`, { approve: true })
  await client.follow(agent, intent.id, printer.event)
  printer.result(await resultOf('rest', { ready, client, agent, id: intent.id, startedAt }))
}

/** A policy allows small purchases unattended; it lowers the cap to the amount that it allows. */
async function buyOverMcp({ ready, client, printer, person, agent, wish }: Purchase): Promise<void> {
  const startedAt = performance.now()
  printer.step('MCP: a policy approves purchases up to 30.00 by itself; the agent calls a tool')
  await client.rest(person, 'POST', '/v1/policies', demoPolicy(ready.sandbox.item_currency))
  const intent = await client.tool(agent, 'v1_create_purchase_intent', {
    ...wish,
    idempotency_key: `demo-${Date.now()}`,
  })
  await client.follow(agent, intent.id, printer.event)
  printer.result(await resultOf('mcp', { ready, client, agent, id: intent.id, startedAt }))
}

type Facts = { ready: ReadyLine; client: DemoClient; agent: string; id: string; startedAt: number }

async function resultOf(
  transport: 'rest' | 'mcp',
  { ready, client, agent, id, startedAt }: Facts,
): Promise<DemoResult> {
  const intent = await client.rest(agent, 'GET', `/v1/purchase_intents/${id}`)
  if (intent.status !== 'succeeded') {
    throw new CommandFailure(
      `The purchase over ${transport} ended ${intent.status}: ${JSON.stringify(intent.failure_reason)}`,
    )
  }
  const carts: { id: string; order_id: string | null }[] = intent.carts
  const log = await client.log(ready.sandbox.processor_log_url)
  const captures = log.filter(
    (entry) =>
      entry.operation === 'capture' &&
      entry.result === 'approved' &&
      carts.some(({ id: cartId }) => entry.reference.includes(cartId)),
  )
  return {
    transport,
    purchase_intent_id: id,
    status: intent.status,
    actual_amount: intent.actual_amount,
    max_allowed_amount: intent.max_allowed_amount,
    currency: intent.currency_code,
    order_id: carts[0]?.order_id ?? null,
    processor: {
      captures: captures.length,
      captured_amount: captures.reduce((sum, { amount }) => sum + amount, 0),
    },
    elapsed_ms: Math.round(performance.now() - startedAt),
  }
}

function jsonPrinter(): Printer {
  return {
    step: (text) => outJson({ step: text }),
    event: ({ id, type, sequence, cart_id, created_at }) =>
      outJson({ event: { id, type, sequence, cart_id, created_at } }),
    result: (result) => outJson({ result }),
    next: (next) => outJson({ next }),
  }
}

function terminalPrinter(): Printer {
  let startedAt = 0
  return {
    step(text) {
      startedAt = performance.now()
      out(`\n${styled('bold', text)}`)
    },
    event({ type, cart_id }) {
      const at = `${Math.round(performance.now() - startedAt)} ms`.padStart(8)
      const colour = type.endsWith('failed') ? 'red' : type.endsWith('succeeded') ? 'green' : 'cyan'
      out(`${styled('dim', at)}  ${styled(colour, type)}${cart_id ? styled('dim', `  ${cart_id}`) : ''}`)
    },
    result({ actual_amount, max_allowed_amount, currency, order_id, processor }) {
      out(
        `  charged ${styled('green', money(actual_amount, currency))} of at most ${money(max_allowed_amount, currency)}, order ${order_id}`,
      )
      out(
        styled(
          'dim',
          `  the payment processor recorded ${processor.captures} capture of ${money(processor.captured_amount, currency)}`,
        ),
      )
    },
    next({ start, mcp_configuration, guide }) {
      out('')
      out(
        `${styled('bold', 'Next')}: ${styled('cyan', start)} starts a service that keeps running. The service of this demo and its data are gone.`,
      )
      out(
        "To connect an agent, put this into the MCP configuration of its host. npm start names the file that has it with the agent's key,\nand another port if this one is taken by then:",
      )
      out('')
      out(JSON.stringify(mcp_configuration, null, 2))
      out('')
      out(`${guide} goes on from there: it sets up a person with a card and a policy, and buys something.`)
    },
  }
}

function demoPolicy(currency: string) {
  return {
    name: 'Small purchases need no approval',
    currency,
    limits: { per_transaction_max: 3000, intervals: [{ interval: 'day', max_amount: 10_000 }] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 3000 },
  }
}
