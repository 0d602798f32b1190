import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../../src/platform/postgres/embedded.ts'
import { evershopProgram, installEvershop, run, shopEnvironment, version } from '../evershop/install.ts'
import { readOrders } from '../evershop/orders.ts'
import { stockShop } from '../evershop/stock.ts'
import type { Peer, RunningShop } from '../peer.ts'
import type { PlannedBuyer } from '../plan.ts'

export const peer: Peer = {
  about: `EverShop ${version}, with a PostgreSQL of its own and a payment module with a plain form for a card`,
  install: installEvershop,
  start: startEvershop,
}

/** The shop asks for a telephone and a state. */
const buyers: PlannedBuyer[] = [
  {
    name: 'Ada in Portland',
    profile: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: '+15035550100',
      country: 'US',
      addresses: [
        {
          address_type: 'both',
          line1: '1 Analytical Way',
          city: 'Portland',
          state: 'OR',
          postal_code: '97201',
          country: 'US',
        },
      ],
    },
  },
  {
    name: 'Emmy in Göttingen',
    profile: {
      first_name: 'Emmy',
      last_name: 'Noether',
      email: 'emmy@example.com',
      phone: '+4955112345678',
      country: 'DE',
      addresses: [
        {
          address_type: 'both',
          line1: 'Lange Straße 7',
          line2: 'Hinterhaus',
          city: 'Göttingen',
          state: 'NI',
          postal_code: '37073',
          country: 'DE',
        },
      ],
    },
  },
]

const admin = { email: 'seller@evershop.shop.test', password: 'sells-things-1' }

/** The first start makes the tables, which takes most of the time. */
const patienceMs = 300_000

async function startEvershop(options: Parameters<Peer['start']>[0]): Promise<RunningShop> {
  const { folder, state, port, tell } = options
  tell('Starting the PostgreSQL of the shop …')
  const postgres = await startEmbeddedPostgres({ stateDir: state, durable: false })
  const stops = [() => postgres.stop()]
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  try {
    const env = environmentOf(postgres.url, options)
    tell('Starting the shop …')
    stops.push(await serve(folder, env, port))
    await run(
      folder,
      [
        process.execPath,
        evershopProgram(folder),
        'user:create',
        ...['--name', 'Seller', '--email', admin.email, '--password', admin.password],
      ],
      'user.log',
      env,
    )
    tell('Putting products, delivery and prices into the shop …')
    const products = await stockShop(`http://127.0.0.1:${port}`, admin)
    const database = new Client({ connectionString: postgres.url })
    await database.connect()
    stops.push(() => database.end())
    return {
      purchases: { host: options.host, currency: 'USD', fees_most: 1500, products, buyers, paid: ['paid'] },
      orders: () => readOrders(database),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function environmentOf(
  databaseUrl: string,
  { port, host, processorUrl }: Pick<Parameters<Peer['start']>[0], 'port' | 'host' | 'processorUrl'>,
): Record<string, string> {
  const url = new URL(databaseUrl)
  return {
    PORT: String(port),
    DB_HOST: url.searchParams.get('host') ?? url.hostname,
    DB_PORT: url.port === '' ? '5432' : url.port,
    DB_NAME: url.pathname.slice(1),
    DB_USER: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
    DB_SSLMODE: 'disable',
    JWT_ADMIN_SECRET: randomBytes(24).toString('hex'),
    JWT_ADMIN_REFRESH_SECRET: randomBytes(24).toString('hex'),
    JWT_CUSTOMER_SECRET: randomBytes(24).toString('hex'),
    JWT_CUSTOMER_REFRESH_SECRET: randomBytes(24).toString('hex'),
    CARD_PROCESSOR_URL: processorUrl,
    CARD_MERCHANT: host,
    // Where the shop's own pages say that it is.
    NODE_CONFIG: JSON.stringify({ shop: { homeUrl: `https://${host}` } }),
  }
}

/** Answers how to stop it, with the processes that it has started. */
async function serve(
  folder: string,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<() => Promise<void>> {
  const file = openSync(join(folder, 'shop.log'), 'w')
  const child = spawn(process.execPath, [evershopProgram(folder), 'start'], {
    cwd: folder,
    env: shopEnvironment(env),
    stdio: ['ignore', file, file],
    detached: true,
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null) return
    // Its children are in its group.
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  const until = performance.now() + patienceMs
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error(`EverShop does not start. ${join(folder, 'shop.log')} says why.`)
    }
    await delay(250)
  }
  return stop
}

async function answers(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/`)
    return status < 500
  } catch {
    return false
  }
}
