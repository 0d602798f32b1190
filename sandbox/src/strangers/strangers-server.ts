import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BadRequest, integer } from '../fields.ts'
import { type Call, json, list, problem, type Route, type RunningServer, serveJson } from '../json-server.ts'
import { makeServerIdentity } from './authority/authority.ts'
import { openCardProcessor } from './shop/card-processor.ts'
import type { Desk } from './shop/desk.ts'
import { openShopMemory } from './shop/memory.ts'
import { resumeOrders } from './shop/place-order.ts'
import { hostOf, otherHosts, paymentHosts, shops, trapHosts } from './shop-list.ts'
import { type Site, serveSites } from './web/serve-sites.ts'
import type { OpenedShop } from './web/site.ts'

/** What a buyer's side needs to reach these names: where they are, and whom to trust for them. */
export type StrangersFacts = {
  shops: Record<string, string>
  /** Each name with the one address that it stands for. */
  addresses: Record<string, string>
  authority: { certificate: string; key_pin: string }
  payment_hosts: readonly { readonly host: string; readonly roles: readonly string[] }[]
}

type OpenShop = { desk: Desk; sites: Map<string, Site>; passDays: OpenedShop['passDays'] }

/**
 * Shops with web pages that know nothing of agents. Their pages are at `webPort`, under their own names with TLS; what they testify, and
 * what is done to them from outside, is at `port`.
 */
export async function startStrangers(options: {
  stateDir: string
  port: number
  webPort: number
  processorUrl: string
  stripeUrl?: string
  linkUrl?: string
  controlToken: string
  /** Shops that are no part of the sandbox, with their ports. They get a name and TLS, and testify nothing here. */
  shopsElsewhere?: Readonly<Record<string, number>>
}): Promise<RunningServer & { facts: StrangersFacts }> {
  const folder = join(options.stateDir, 'strangers')
  const opened = new Map<string, Promise<OpenShop>>()
  const open = (name: string): Promise<OpenShop> => {
    const known = opened.get(name)
    if (known !== undefined) return known
    const opening = openShop(folder, name, options)
    opened.set(name, opening)
    return opening
  }
  const hosts = hostsOfShops()
  const elsewhere = new Map(
    Object.entries(options.shopsElsewhere ?? {}).map(([name, port]) => [hostOf(name), port]),
  )
  const names = [...hosts.keys(), ...elsewhere.keys()]
  const identity = makeServerIdentity(folder, names, new Date())
  const web = await serveSites({
    port: options.webPort,
    identity,
    elsewhere: (host) => elsewhere.get(host),
    open: async (host) => {
      const shop = hosts.get(host) ?? trapHosts[host]
      return shop === undefined ? undefined : (await open(shop)).sites.get(host)
    },
  })
  const settled = async () => {
    for (const { desk } of await openOnes(opened)) await desk.memory.durable()
  }
  const server = await serveJson({ ...options, routes: routesOf(open, folder), settled })
  // What was being paid when the last process ended is looked after, once everything else runs.
  setImmediate(() => {
    for (const name of Object.keys(shops))
      if (existsSync(fileOf(folder, name))) open(name).catch(reportFailure)
  })
  const address = new URL(web.url).host
  return {
    url: server.url,
    facts: {
      shops: Object.fromEntries(
        [...Object.keys(shops), ...Object.keys(options.shopsElsewhere ?? {})].map((name) => [
          name,
          `https://${hostOf(name)}`,
        ]),
      ),
      addresses: Object.fromEntries(names.map((name) => [name, address])),
      authority: {
        certificate: identity.authority.certificate,
        key_pin: identity.authority.keyPin,
      },
      payment_hosts: paymentHosts,
    },
    close: async () => {
      await Promise.all([web.close(), server.close()])
      for (const { desk } of await openOnes(opened)) await desk.memory.close()
    },
  }
}

async function openOnes(opened: ReadonlyMap<string, Promise<OpenShop>>): Promise<OpenShop[]> {
  const outcomes = await Promise.allSettled(opened.values())
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** One shop whose memory is damaged stays closed, and the others go on. */
function reportFailure(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
}

function hostsOfShops(): Map<string, string> {
  return new Map([
    ...Object.keys(shops).map((name): [string, string] => [hostOf(name), name]),
    ...Object.entries(otherHosts),
  ])
}

async function openShop(
  folder: string,
  name: string,
  { processorUrl, ...beside }: { processorUrl: string; stripeUrl?: string; linkUrl?: string },
): Promise<OpenShop> {
  const { stripeUrl } = beside
  const [module, memory] = await Promise.all([shops[name]?.(), openShopMemory(fileOf(folder, name))])
  if (module === undefined) throw new Error(`There is no shop ${name}`)
  const desk: Desk = {
    name,
    host: hostOf(name),
    memory,
    processor: openCardProcessor(processorUrl, beside),
    ...(stripeUrl === undefined ? {} : { stripeUrl }),
  }
  const { sites, passDays } = module.openShop(desk)
  void resumeOrders(desk)
  const withMemory = Object.entries(sites).map(([host, routes]): [string, Site] => [
    host,
    { routes, durable: memory.durable },
  ])
  return { desk, sites: new Map(withMemory), passDays }
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}.jsonl`)
}

function routesOf(open: (name: string) => Promise<OpenShop>, folder: string): Route[] {
  const shopOf = (call: Call) => {
    const { shop = '' } = call.params
    if (!Object.hasOwn(shops, shop)) throw new BadRequest('There is no such shop', 'not_found', 404)
    return open(shop)
  }
  return [
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'strangers' }) },
    {
      method: 'GET',
      path: '/log',
      handle: async () => {
        const used = Object.keys(shops).filter((name) => existsSync(fileOf(folder, name)))
        const logs = await Promise.all(
          used.map(async (shop) =>
            (await open(shop)).desk.memory.entries.map((entry) => ({ shop, ...entry })),
          ),
        )
        return list(logs.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)))
      },
    },
    {
      method: 'GET',
      path: '/:shop/log',
      handle: async (call) => list((await shopOf(call)).desk.memory.entries),
    },
    {
      method: 'GET',
      path: '/:shop/orders',
      handle: async (call) => list([...(await shopOf(call)).desk.memory.orders.values()]),
    },
    {
      method: 'GET',
      path: '/:shop/mail',
      isControl: true,
      handle: async (call) => {
        const { notes } = (await shopOf(call)).desk.memory
        return json(200, { code: notes.get(`code:${call.query.get('to')}`) ?? null })
      },
    },
    {
      method: 'POST',
      path: '/:shop/control/days',
      isControl: true,
      handle: async (call) => {
        const { passDays } = await shopOf(call)
        if (passDays === undefined) return problem(409, 'nothing_due', 'This shop does nothing later')
        await passDays(integer(call.body(), 'days', { min: 1, max: 365 }))
        return json(200, { ok: true })
      },
    },
  ]
}
