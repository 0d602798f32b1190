import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '../../src/cli/up/free-port.ts'
import { startUp, type Up } from '../../src/cli/up/start-up.ts'
import { openStateFolder, stateFiles } from '../../src/cli/up/state-folder.ts'
import { readBook } from './book.ts'
import { buyFrom, type KnownOrders, newOrders } from './buy-from.ts'
import { readPeerCommand } from './command-line.ts'
import type { Peer, RunningShop, Tell } from './peer.ts'
import { type Plan, readPlan, WrongPlan } from './plan.ts'
import { readPeers } from './read-peers.ts'
import { payPlainly } from './stripe/pay-plainly.ts'
import { type Bought, isAsPlanned, tableOf } from './table.ts'

type How = { readonly name: string; readonly keep: boolean; readonly json: boolean }
/** What is started, with what stops it. */
type Starting = { readonly tell: Tell; readonly stops: (() => Promise<unknown>)[] }
type World = { readonly up: Up; readonly shop: RunningShop }

async function main(): Promise<void> {
  const peers = await readPeers()
  const known = Object.fromEntries([...peers].map(([name, { about }]) => [name, about]))
  const command = readPeerCommand(process.argv.slice(2), known)
  if (command.kind === 'told') {
    if (command.code === 0) console.log(command.text)
    else console.error(command.text)
    process.exitCode = command.code
    return
  }
  if (command.kind === 'at') {
    const plan = readPlan(await readFile(command.plan))
    const folder = dirname(resolve(command.plan))
    const start = (starting: Starting) => startAt(command.port, { plan, folder }, starting)
    return buyAndTell({ ...command, name: plan.name }, start)
  }
  if (command.kind === 'stripe') return payAndTell(command)
  const peer = peers.get(command.name)
  if (peer !== undefined) await buyAndTell(command, (starting) => startBoth(command.name, peer, starting))
}

async function payAndTell({ port, json }: { port: number; json: boolean }): Promise<void> {
  const steps = await payPlainly(`http://127.0.0.1:${port}`)
  if (json) console.log(JSON.stringify({ peer: 'stripe', steps }))
  else
    for (const { step, wrong } of steps)
      console.log(`${step.padEnd(24)} ${wrong.join('; ') || 'as it has to be'}`)
  if (steps.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
}

async function buyAndTell(
  { name, keep, json }: How,
  start: (starting: Starting) => Promise<World>,
): Promise<void> {
  const interrupted = interruption()
  const tell: Tell = json ? (line) => console.error(line) : (line) => console.log(line)
  const stops: Starting['stops'] = []
  const running = start({ tell, stops })
  try {
    const world = await Promise.race([running, interrupted])
    const { bought, late } = await Promise.race([buyAll(world, tell), interrupted])
    console.log(json ? JSON.stringify({ peer: name, bought, late }) : `\n${tableOf(bought)}`)
    for (const number of late) tell(`WRONG the book has order ${number}, which no purchase has made`)
    if (late.length > 0 || !bought.every(isAsPlanned)) process.exitCode = 1
    if (keep) {
      tell(
        `${name} is at https://${world.shop.purchases.host}, the service at ${world.up.ready.base_url} (keys in ${world.up.state.path}). Ctrl-C stops it.`,
      )
      await interrupted.catch(() => undefined)
    }
  } finally {
    await running.catch(() => undefined)
    for (const stop of stops.reverse()) await stop()
  }
}

function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error('It was interrupted.')))
  })
  // Before anything waits for it.
  interrupted.catch(() => undefined)
  return interrupted
}

/** `late`: orders that came into the book after their purchase, or without one. */
async function buyAll({ up, shop }: World, tell: Tell): Promise<{ bought: Bought[]; late: string[] }> {
  const known: KnownOrders = new Set()
  await newOrders(shop, known)
  const bought: Bought[] = []
  for (const product of shop.purchases.products)
    for (const buyer of shop.purchases.buyers) {
      tell(`Buying ${product.name} for ${buyer.name} …`)
      bought.push(await buyFrom({ product, buyer }, { up, shop, known }))
    }
  return { bought, late: (await newOrders(shop, known)).map(({ number }) => number) }
}

/** The service first: the shop charges at the processor of its sandbox. */
async function startBoth(name: string, peer: Peer, { tell, stops }: Starting): Promise<World> {
  const folder = join(import.meta.dirname, '../../../.tmp/peers', name)
  await mkdir(folder, { recursive: true })
  await peer.install(folder, tell)
  const port = await freePort()
  const up = await startService([`${name}=${port}`], {}, { tell, stops })
  const shop = await peer.start({
    folder,
    state: await temporaryFolder(stops),
    port,
    host: new URL(up.ready.sandbox.shops[name] ?? '').host,
    processorUrl: new URL(up.ready.sandbox.processor_log_url).origin,
    tell,
  })
  stops.push(() => shop.stop())
  return { up, shop }
}

/** The service for a shop that runs already, and knows where the processor will be. */
async function startAt(
  port: number,
  { plan, folder }: { plan: Plan; folder: string },
  starting: Starting,
): Promise<World> {
  const { processor_port: processor, payment_host: payment, book } = plan
  const shop = {
    purchases: plan,
    orders: () => readBook(book, folder),
    stop: async () => undefined,
  }
  // Before anything is started for a book that cannot be read.
  await shop.orders()
  const names = [{ host: plan.host, port }, ...(payment === undefined ? [] : [payment])].map(
    (one) => `${one.host.split('.')[0]}=${one.port}`,
  )
  if (payment !== undefined) await knowPaymentHost(payment.host, starting.stops)
  const up = await startService(names, { processor }, starting)
  if (new URL(up.ready.sandbox.processor_log_url).port !== String(processor))
    throw new Error(`Port ${processor} is taken, and the shop charges cards there.`)
  return { up, shop }
}

/** As an operator names one: cards are typed there on a page of its own, or in a frame of the shop's. */
async function knowPaymentHost(host: string, stops: Starting['stops']): Promise<void> {
  const file = join(await temporaryFolder(stops), 'payment-hosts.json')
  await writeFile(file, JSON.stringify([{ host, roles: ['frame', 'page'] }]))
  process.env.PROKURA_PAYMENT_HOSTS = file
}

async function startService(
  shop: readonly string[],
  /** Those of the sandbox that have to be these. */
  ports: Readonly<Record<string, number>>,
  { tell, stops }: Starting,
): Promise<Up> {
  tell('Starting the service …')
  const state = await temporaryFolder(stops)
  openStateFolder(state, { create: true }).write(stateFiles.ports, ports)
  const up = await startUp({
    state,
    port: 0,
    loopback: true,
    workers: 1,
    throwAway: true,
    shop,
    onProgress: () => undefined,
    onWarning: tell,
  })
  stops.push(() => up.stop())
  return up
}

/** Users of the roles and of PostgreSQL pass through it. */
async function temporaryFolder(stops: Starting['stops']): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-peer-'))
  await chmod(folder, 0o711)
  stops.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongPlan ? 2 : 1
}
process.exit()
