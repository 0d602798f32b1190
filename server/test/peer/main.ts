import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/cli/up/free-port.ts'
import { startUp, type Up } from '../../src/cli/up/start-up.ts'
import { buyFrom } from './buy-from.ts'
import { readPeerCommand } from './command-line.ts'
import type { Peer, RunningShop, Tell } from './peer.ts'
import { readPeers } from './read-peers.ts'
import { type Bought, tableOf } from './table.ts'

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
  const peer = peers.get(command.name)
  if (peer === undefined) return
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error('It was interrupted.')))
  })
  // Before anything waits for it.
  interrupted.catch(() => undefined)
  await buyAndTell(command, peer, interrupted)
}

async function buyAndTell(
  { name, keep, json }: { name: string; keep: boolean; json: boolean },
  peer: Peer,
  interrupted: Promise<never>,
): Promise<void> {
  const tell: Tell = json ? (line) => console.error(line) : (line) => console.log(line)
  const stops: (() => Promise<unknown>)[] = []
  const running = startBoth(name, peer, { tell, stops })
  try {
    const { up, shop } = await Promise.race([running, interrupted])
    const bought: Bought[] = []
    for (const product of shop.products) {
      tell(`Buying ${product.about} …`)
      bought.push(await Promise.race([buyFrom(product, { up, shop, name }), interrupted]))
    }
    console.log(json ? JSON.stringify({ peer: name, bought }) : `\n${tableOf(bought)}`)
    if (bought.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
    if (keep) {
      tell(
        `${name} is at ${up.ready.sandbox.shops[name]}, the service at ${up.ready.base_url}. Ctrl-C stops both.`,
      )
      await interrupted.catch(() => undefined)
    }
  } finally {
    await running.catch(() => undefined)
    for (const stop of stops.reverse()) await stop()
  }
}

type Starting = { tell: Tell; stops: (() => Promise<unknown>)[] }

/** The service first: the shop charges at the processor of its sandbox. */
async function startBoth(
  name: string,
  peer: Peer,
  { tell, stops }: Starting,
): Promise<{ up: Up; shop: RunningShop }> {
  const folder = join(import.meta.dirname, '../../../.tmp/peers', name)
  await mkdir(folder, { recursive: true })
  await peer.install(folder, tell)
  const port = await freePort()
  tell('Starting the service …')
  const state = await temporaryFolder(stops)
  const up = await startUp({
    state,
    port: 0,
    loopback: true,
    workers: 1,
    throwAway: true,
    shop: [`${name}=${port}`],
    onProgress: () => undefined,
    onWarning: tell,
  })
  stops.push(() => up.stop())
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
  process.exitCode = 1
}
process.exit()
