import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { unpackedChromium } from '../../src/browser/chromium/unpack.ts'
import { type OpenBrowser, openBrowser } from '../../src/browser/open-browser.ts'
import type { Shopper, Visit } from '../../src/browser/shopper/visit.ts'
import { type BrowserPort, createBrowserPort } from '../../src/channels/browser/browser-port.ts'
import type { Offer, ShopPlaced, ShopPrice, ShopRequest } from '../../src/channels/browser/shopping-words.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { chromiumIds, mayBecome } from '../../src/platform/postgres/account.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

/** The package is built for one platform. */
export const hasChromium = process.platform === 'linux' && process.arch === 'x64'

/** Where tests keep the unpacked Chromium, which takes two seconds to unpack. */
export const chromiumFolder = join(tmpdir(), 'prokura-test-chromium')

export const chromiumUser = process.geteuid?.() === 0 && mayBecome(chromiumIds) ? { ...chromiumIds } : null

type Change = Partial<Parameters<typeof openBrowser>[0]>

/** The browser process as a worker sees it, with a shopper that does what a test says. */
export type BrowserWorld = {
  readonly port: BrowserPort
  readonly sandbox: Sandbox
  readonly browser: OpenBrowser
  readonly folder: string
  readonly doors: string
  /** What the next visits do; each is one `price`. */
  script: Shopper['price']
  order: Shopper['place']
  look: Shopper['way']
  /** Works in a visit at a shop, and returns what that brings. */
  visit<T>(work: (visit: Visit) => Promise<T>, request?: Partial<ShopRequest>): Promise<T>
  price(request?: Partial<ShopRequest>, more?: { signal?: AbortSignal }): ReturnType<BrowserPort['price']>
  log(): Promise<string>
  stop(): Promise<void>
}

export const someOffer: Offer = {
  lines: [{ itemId: 'item_1', quantity: 1, unitAmount: 2_000n, title: 'Kettle' }],
  subtotal: 2_000n,
  fulfillment: 500n,
  tax: 200n,
  discount: 0n,
  total: 2_700n,
  currency: 'USD',
  reference: null,
}

export const offered: ShopPrice = { kind: 'offer', offer: someOffer, promo: null }

export function shopRequest(shop: string, more: Partial<ShopRequest> = {}): ShopRequest {
  return {
    cart: 'cart_1',
    attempt: 1,
    buyer: {
      name: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: null,
      shipTo: null,
      billTo: null,
    },
    merchantDomain: 'shop.test',
    site: `https://${shop}.shop.test`,
    items: [
      {
        id: 'item_1',
        url: `https://${shop}.shop.test/`,
        quantity: 1,
        unitAmount: 2_000n,
        variant: null,
        title: null,
      },
    ],
    startAt: null,
    currency: 'USD',
    fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 1_000n },
    promoCode: null,
    moreHosts: [],
    ...more,
  }
}

/** `shared`: a sandbox that somebody else stops. */
export async function startBrowserWorld(change: Change = {}, shared?: Sandbox): Promise<BrowserWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-browser-'))
  await chmod(folder, 0o711)
  const doors = join(folder, 'doors')
  await mkdir(doors, { mode: 0o700 })
  const sandbox = shared ?? (await startSandbox())
  const logFile = join(folder, 'browser.log')
  const shopper: Shopper = {
    price: (...given) => world.script(...given),
    product: () => Promise.resolve({ kind: 'unavailable', why: 'this shopper looks at nothing' }),
    way: (...given) => world.look(...given),
    place: (...given) => world.order(...given),
  }
  const browser = await openBrowser({
    addedPaymentHosts: [],
    binary: () => unpackedChromium(chromiumFolder),
    user: chromiumUser,
    profiles: join(folder, 'profiles'),
    mayRunUnsandboxed: true,
    sandboxNames: sandbox.names,
    display: null,
    shopper,
    folder: doors,
    vaultDoors: null,
    contextsMax: 3,
    parkedMax: 8,
    faults: noFaults,
    log: pino({ level: 'warn' }, pino.destination({ dest: logFile, sync: true })),
    ...change,
  })
  const port = createBrowserPort(doors)
  const never = new AbortController().signal
  const world: BrowserWorld = {
    port,
    sandbox,
    browser,
    folder,
    doors,
    script: () => Promise.resolve(offered),
    order: () => Promise.resolve<ShopPlaced>({ kind: 'placed', orderId: 'order_1', orderUrl: null }),
    look: () => Promise.resolve({ kind: 'unavailable', why: 'this shopper looks at nothing' }),
    async visit(work, request = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
      promise.catch(() => undefined)
      world.script = async (visit) => {
        try {
          resolve(await work(visit))
        } catch (error) {
          reject(error)
        }
        return { kind: 'unavailable', why: 'the test is over' }
      }
      const said = await world.price(request)
      if (said.kind === 'unavailable' && said.why !== 'the test is over')
        throw new Error(`no visit: ${said.why}\n${await world.log()}`)
      return promise
    },
    price: (request = {}, { signal = never } = {}) =>
      port.price(shopRequest('classic', request), {
        mode: 'test',
        share: 'buyer',
        signal,
        onEvidence: () => undefined,
      }),
    log: () => readFile(logFile, 'utf8'),
    async stop() {
      await browser.close()
      if (shared === undefined) await sandbox.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return world
}
