import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PageReader } from '../channels/browser/page-reader.ts'
import { type BrowserHealth, browserDoor, type ShopAsk } from '../channels/browser/shopping-wire.ts'
import type { ShopPlaced, ShopPrice, ShopProductAnswer } from '../channels/browser/shopping-words.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type { Log } from '../platform/logs/logs.ts'
import { ChromiumFailure } from './chromium/chromium-failure.ts'
import { type ChromiumSettings, keepChromiums } from './chromium/keep-chromium.ts'
import { asRoot } from './chromium/own-user.ts'
import { isStillOffered, refused, refusedBefore } from './compare-offers.ts'
import { type Caller, openShopDoor } from './door/shop-door.ts'
import { cardFetcher } from './fetch-card.ts'
import { type OpenVisit, openVisit } from './open-visit.ts'
import type { Shopper } from './shopper/visit.ts'
import { NoPlace, VisitPlaces } from './visit-places.ts'

type BrowserOptions = Omit<ChromiumSettings, 'log' | 'idleMs'> & {
  readonly shopper: Shopper
  /** The folder of the door. */
  readonly folder: string
  /** The folder of the vault's doors; null: no card is ever typed. */
  readonly vaultDoors: string | null
  readonly contextsMax: number
  readonly faults: Faults
  readonly log: Log
  readonly idleMs?: number
  readonly keptForMs?: number
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
/** Carts that wait for a place, for each place. */
const waitingForEach = 8

type ShopCall = Exclude<ShopAsk, { ask: 'health' }>

/** The browser process: prices and orders at shops that have nothing but pages, behind one door. */
export async function openBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const { contextsMax } = options
  const chromiums = keepChromiums({ ...options, idleMs: options.idleMs ?? chromiumIdleMs })
  const places = new VisitPlaces({
    places: contextsMax,
    waitingMax: contextsMax * waitingForEach,
    keptForMs: options.keptForMs ?? sessionMs,
  })
  const shop = new Shopping(options, { chromiums, places })
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
      await chromiums.close()
    },
  }
}

type Means = { readonly chromiums: ReturnType<typeof keepChromiums>; readonly places: VisitPlaces }

type Held = { readonly visit: OpenVisit; readonly giveBack: () => void }

class Shopping {
  readonly #options: BrowserOptions
  readonly #means: Means

  constructor(options: BrowserOptions, means: Means) {
    this.#options = options
    this.#means = means
  }

  async product(ask: Extract<ShopAsk, { ask: 'product' }>, caller: Caller): Promise<ShopProductAnswer> {
    const { shopper, log } = this.#options
    const held = await this.#open(ask, caller)
    if ('why' in held) return { kind: 'unavailable', why: held.why }
    return this.#during(held, caller, async ({ visit }) => {
      try {
        return await untilEnded(visit.signal, shopper.product(visit, ask.request))
      } catch (error) {
        if (!visit.signal.aborted) log.warn({ err: error }, 'browser: no product was read')
        return { kind: 'unavailable', why: whyOf(error, visit.signal) }
      }
    })
  }

  async price(ask: Extract<ShopAsk, { ask: 'price' }>, caller: Caller): Promise<ShopPrice> {
    const { shopper, log } = this.#options
    const held = await this.#open(ask, caller)
    if ('why' in held) return { kind: 'unavailable', why: held.why }
    return this.#during(held, caller, async ({ visit }, keep) => {
      try {
        const said = await untilEnded(visit.signal, shopper.price(visit, ask.request, readerOf(ask, caller)))
        if (said.kind !== 'offer') return said
        await visit.at('page.priced')
        return { ...said, session: visit.signal.aborted ? null : keep() }
      } catch (error) {
        if (!visit.signal.aborted)
          log.warn({ err: error, cart: ask.request.cart }, 'browser: no price was read')
        return { kind: 'unavailable', why: whyOf(error, visit.signal) }
      }
    })
  }

  async place(ask: Extract<ShopAsk, { ask: 'place' }>, caller: Caller): Promise<ShopPlaced> {
    const { session, request, offer } = ask
    const isSame = (visit: OpenVisit) => visit.mode === ask.mode && isDeepStrictEqual(visit.request, request)
    const resumed = session === null ? null : this.#means.places.resume(session, isSame)
    const held = resumed ?? (await this.#open(ask, caller))
    if ('why' in held) return refused('merchant_unavailable', held.why)
    const { shopper, log, vaultDoors } = this.#options
    return this.#during(held, caller, async ({ visit }) => {
      const card = cardFetcher({ visit, request, caller, vaultDoors, log })
      try {
        if (resumed === null) {
          const again = await untilEnded(visit.signal, shopper.price(visit, request, readerOf(ask, caller)))
          if (again.kind !== 'offer') return refusedBefore(again)
          if (!isStillOffered(offer, again.offer))
            return refused('price_changed', 'The shop no longer offers what was agreed to.')
        }
        const said = await untilEnded(visit.signal, shopper.place(visit, request, offer, card.fetch))
        if (said.kind === 'placed') await visit.at('page.confirmed')
        return said
      } catch (error) {
        const why = whyOf(error, visit.signal)
        if (!visit.signal.aborted) log.warn({ err: error, cart: request.cart }, 'browser: an order broke off')
        // With the card in the page, its script may have ordered.
        return card.isHanded() ? { kind: 'unknown', why } : refused('merchant_unavailable', why)
      }
    })
  }

  /** A fresh visit, or why there is none. */
  async #open({ mode, request }: ShopCall, caller: Caller): Promise<Held | { why: string }> {
    const { chromiums, places } = this.#means
    const { faults, log } = this.#options
    let giveBack: () => void
    try {
      giveBack = await places.take(caller.signal)
    } catch (error) {
      if (error instanceof NoPlace) return { why: error.message }
      throw error
    }
    try {
      return { visit: await openVisit({ chromiums, mode, request, faults, log }), giveBack }
    } catch (error) {
      giveBack()
      log.warn({ err: error }, 'browser: no visit could be opened')
      return { why: error instanceof ChromiumFailure ? error.message : 'Chromium does not answer' }
    }
  }

  /** Works on a visit that ends when its worker goes, and after the work, unless it is kept. */
  async #during<T>(
    { visit, giveBack }: Held,
    caller: Caller,
    work: (visit: OpenVisit, keep: () => string) => Promise<T>,
  ): Promise<T> {
    const onGone = () => void visit.close()
    caller.signal.addEventListener('abort', onGone, { once: true })
    if (caller.signal.aborted) onGone()
    visit.tellEvidence((evidence) => caller.evidence(evidence))
    let isKept = false
    const keep = () => {
      isKept = true
      caller.signal.removeEventListener('abort', onGone)
      visit.tellEvidence(() => undefined)
      return this.#means.places.keep(visit, giveBack)
    }
    try {
      return await work(visit, keep)
    } finally {
      caller.signal.removeEventListener('abort', onGone)
      if (!isKept) {
        await visit.close()
        giveBack()
      }
    }
  }
}

/** The reader that the worker has; it lasts as long as the question. */
function readerOf({ has_reader }: { has_reader: boolean }, caller: Caller): PageReader | undefined {
  return has_reader ? { move: (page) => caller.wantsMove(page) } : undefined
}

/** What a shopper says after its visit has ended no longer counts: it may have seen a page that was going away. */
function untilEnded<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onEnd = () => reject(new Error('the visit has ended'))
  if (signal.aborted) onEnd()
  signal.addEventListener('abort', onEnd, { once: true })
  work.then(resolve, reject)
  return promise.finally(() => signal.removeEventListener('abort', onEnd))
}

function whyOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Chromium ended, or the worker has gone'
  return error instanceof Error && error.name === 'TimeoutError'
    ? 'the shop did not answer in time'
    : 'the page broke off'
}
