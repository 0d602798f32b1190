import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserHealth, browserDoor, type ShopAsk } from '../channels/browser/shopping-wire.ts'
import { isAtSandbox } from '../platform/egress/egress.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type { Log } from '../platform/logs/logs.ts'
import { type ChromiumSettings, keepChromiums } from './chromium/keep-chromium.ts'
import { asRoot } from './chromium/own-user.ts'
import { type Caller, openShopDoor } from './door/shop-door.ts'
import {
  type PaymentHost,
  readPaymentHosts,
  shippedPaymentHosts,
  withPaymentHosts,
} from './guard/payment-hosts.ts'
import { ParkedVisits } from './parked-visits.ts'
import type { Shopper } from './shopper/visit.ts'
import { Shopping } from './shopping.ts'
import { VisitPlaces } from './visit-places.ts'

type BrowserOptions = Omit<ChromiumSettings, 'log' | 'idleMs'> & {
  readonly shopper: Shopper
  /** The folder of the door. */
  readonly folder: string
  /** The folder of the vault's doors; null: no card is ever typed. */
  readonly vaultDoors: string | null
  /** Hosts of payment that an operator names beside those that come along. */
  readonly addedPaymentHosts: readonly PaymentHost[]
  readonly contextsMax: number
  /** How many visits wait for a code besides. */
  readonly parkedMax: number
  readonly faults: Faults
  readonly log: Log
  readonly idleMs?: number
  readonly keptForMs?: number
  readonly waitMs?: number
  readonly parkedForMs?: number
  readonly silenceMs?: number
}

export type OpenBrowser = {
  health(): Promise<BrowserHealth>
  close(): Promise<void>
}

/** A Chromium without a visit is stopped after this. */
const chromiumIdleMs = 60_000
/** How long a page stays open for the order after its price was read. */
const sessionMs = 120_000
/** How long a page stays open for a code that its shop has sent. */
const parkedMs = 600_000
/** Carts of one tenant that wait for a place, for each place. */
const waitingForEach = 8
/** How long each waits; its worker tries it again later. */
const waitMs = 30_000

/** The browser process: prices and orders at shops that have nothing but pages, behind one door. */
export async function openBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const { contextsMax, addedPaymentHosts } = options
  const paymentHosts = paymentHostsOf(options)
  const chromiums = keepChromiums({ ...options, idleMs: options.idleMs ?? chromiumIdleMs })
  const places = new VisitPlaces({
    places: contextsMax,
    waitingMax: contextsMax * waitingForEach,
    waitMs: options.waitMs ?? waitMs,
    keptForMs: options.keptForMs ?? sessionMs,
  })
  const parked = new ParkedVisits({ max: options.parkedMax, keptForMs: options.parkedForMs ?? parkedMs })
  const shop = new Shopping({ ...options, paymentHosts }, { chromiums, places, parked })
  const health = async (): Promise<BrowserHealth> => {
    const known = await chromiums.known()
    const serves = (['test', 'live'] as const).filter((mode) => chromiums.serves(mode, known))
    const { version, sandbox, remedy } = known
    return {
      pid: process.pid,
      chromium: version,
      sandbox,
      remedy,
      serves,
      running: chromiums.pids().length,
      ...places.counts(),
      parked: parked.count,
      payment_hosts: { known: paymentHosts.live.size, added: addedPaymentHosts },
    }
  }
  const serve = (ask: ShopAsk, caller: Caller) => {
    switch (ask.ask) {
      case 'health':
        return health()
      case 'price':
        return shop.price(ask, caller)
      case 'place':
        return shop.place(ask, caller)
      case 'product':
        return shop.product(ask, caller)
      case 'way':
        return shop.way(ask, caller)
      default:
        return ask satisfies never
    }
  }
  const door = await openShopDoor(join(options.folder, browserDoor), serve, options)
  // Of a process that was killed. Nobody else is here: the door is ours.
  asRoot(() => rmSync(options.profiles, { recursive: true, force: true }))
  return {
    health,
    async close() {
      await door.close()
      await places.close()
      await parked.close()
      await chromiums.close()
    },
  }
}

/** Test mode has those of the sandbox besides. Throws where what an operator names contradicts what is known. */
function paymentHostsOf({
  addedPaymentHosts,
  sandboxNames,
}: Pick<BrowserOptions, 'addedPaymentHosts' | 'sandboxNames'>) {
  const live = withPaymentHosts(shippedPaymentHosts, addedPaymentHosts)
  const ofSandbox = readPaymentHosts(sandboxNames?.paymentHosts ?? []).hosts
  const test = withPaymentHosts(live, ofSandbox)
  return { live: isAtSandbox(sandboxNames, 'live') ? test : live, test }
}
