import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { keyPlaceholder, mcpConfiguration } from '../../contract/mcp-configuration.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import { isThere } from '../../platform/files/file-trouble.ts'
import { CommandFailure } from '../failure.ts'
import { note } from '../terminal.ts'
import { askedPort, usualPort } from '../up/api-port.ts'
import { type ReadyLine, startUp, type Up } from '../up/start-up.ts'
import { openStateFolder } from '../up/state-folder.ts'
import { showChat } from './demo-chat.ts'
import { createDemoClient, type DemoClient } from './demo-client.ts'
import { showElements } from './demo-elements.ts'
import { rehearseLive } from './demo-live.ts'
import { demoCard, demoProfile } from './demo-person.ts'
import { type DemoResult, jsonPrinter, type Printer, terminalPrinter } from './demo-printer.ts'
import { buyAtShop, type DemoShop, demoShops } from './demo-shop.ts'

type DemoOptions = {
  shop?: DemoShop
  headed?: true
  elements?: true
  chat?: true
  liveRehearsal?: true
  json?: boolean
}

export function defineDemo(command: Command): void {
  command
    .addOption(
      new Option(
        '--shop <name>',
        'buy one item in a browser instead, at this shop of the sandbox, which has nothing but pages',
      ).choices(demoShops),
    )
    .option('--headed', 'with --shop: show the browser; CHROMIUM_PATH has to name one that has windows')
    .addOption(
      new Option(
        '--elements',
        'show a site instead whose page takes a card in a component, until this is interrupted',
      ).conflicts('shop'),
    )
    .addOption(
      new Option(
        '--chat',
        'talk to an agent instead, which finds something and asks a person to approve it; on a terminal, also show its page, until this is interrupted',
      ).conflicts(['shop', 'elements']),
    )
    .addOption(
      new Option(
        '--live-rehearsal',
        'buy in live mode instead, at the simulator of Stripe: at a merchant, and at a shop that has nothing but pages',
      ).conflicts(['shop', 'elements', 'chat']),
    )
    .option('--json', 'print lines of JSON (default if the output is not a terminal)')
    .addHelpText(
      'after',
      `
Where a shop cannot be bought from, the demo says why, and the exit code is 1. docs/testing.md says what is
hard about each shop.`,
    )
    .action(async (options: DemoOptions) => {
      assertHasWindows(options)
      const isJson = options.json ?? !process.stdout.isTTY
      const printer = isJson ? jsonPrinter() : terminalPrinter()
      const { shop, elements, chat } = options
      const staysOpen = elements === true || (chat === true && !isJson)
      await onThrowAwayService({ ...options, staysOpen }, (up) => {
        if (elements) return showElements(up, printer.site)
        if (chat) return showChat(up, { printer, json: isJson, staysOpen })
        if (options.liveRehearsal) return rehearseLive(up, printer)
        return shop === undefined ? runDemo(up.ready, printer) : runShopDemo(up, shop, printer)
      })
      if (staysOpen) return
      printer.next({
        start: 'npm start',
        mcp_configuration: mcpConfiguration(`http://127.0.0.1:${portToCome()}`, keyPlaceholder),
        guide: options.liveRehearsal
          ? 'docs/live.md'
          : shop === undefined
            ? 'docs/buyers.md'
            : 'docs/anywhere.md',
      })
    })
}

/** Before anything is started. */
function assertHasWindows({ shop, headed }: DemoOptions): void {
  if (!headed) return
  if (shop === undefined) throw new CommandFailure('--headed shows a browser, which only --shop uses.')
  const { CHROMIUM_PATH: chromium, DISPLAY: display } = processEnvironment()
  if (!chromium)
    throw new CommandFailure(
      'The Chromium that comes along has no windows. Set CHROMIUM_PATH to one that has, or leave --headed out.',
    )
  if (process.platform === 'linux' && !display)
    throw new CommandFailure('There is no screen here: DISPLAY is not set. Leave --headed out.')
}

async function onThrowAwayService(
  { headed, liveRehearsal, staysOpen }: DemoOptions & { staysOpen: boolean },
  work: (up: Up) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-demo-'))
  // As a state folder of `up` is: the users of the roles pass through it.
  await chmod(folder, 0o711)
  const interrupted = new Promise<void>((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () =>
        // A site that is shown ends by hand.
        staysOpen ? resolve() : reject(new CommandFailure('The demo was interrupted.')),
      )
    }
  })
  try {
    const up = await startUp({
      state: folder,
      port: 0,
      loopback: true,
      workers: 1,
      throwAway: true,
      isHeaded: headed === true,
      isRehearsed: liveRehearsal === true,
      onProgress: note,
      onWarning: note,
    })
    try {
      await Promise.race([work(up), interrupted])
    } finally {
      await up.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runShopDemo(up: Up, shop: DemoShop, printer: Printer): Promise<void> {
  const result = await buyAtShop(up, shop, printer)
  printer.shop(result)
  if (result.why !== null) throw new CommandFailure(`Nothing was bought at ${shop}. ${result.why}`)
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

function demoPolicy(currency: string) {
  return {
    name: 'Small purchases need no approval',
    currency,
    limits: { per_transaction_max: 3000, intervals: [{ interval: 'day', max_amount: 10_000 }] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 3000 },
  }
}
