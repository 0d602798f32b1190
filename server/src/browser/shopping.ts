import { isDeepStrictEqual } from 'node:util'
import type { PageReader } from '../channels/browser/page-reader.ts'
import type { ShopAsk } from '../channels/browser/shopping-wire.ts'
import type {
  ShopNoRoom,
  ShopPlaced,
  ShopPrice,
  ShopProductAnswer,
  ShopSignIn,
  ShopWayAnswer,
} from '../channels/browser/shopping-words.ts'
import type { Mode } from '../contract/context.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type { Log } from '../platform/logs/logs.ts'
import { ChromiumFailure } from './chromium/chromium-failure.ts'
import type { Chromiums } from './chromium/keep-chromium.ts'
import { isStillOffered, refused, refusedBefore } from './compare-offers.ts'
import type { Caller } from './door/shop-door.ts'
import { cardFetcher } from './fetch-card.ts'
import type { PaymentHosts } from './guard/payment-hosts.ts'
import { ticketOpener } from './open-tickets.ts'
import { type OpenVisit, openVisit } from './open-visit.ts'
import type { ParkedVisits, PricingVisit } from './parked-visits.ts'
import type { Shopper } from './shopper/visit.ts'
import { NoPlace, type VisitPlaces } from './visit-places.ts'
import { type CodeWish, VisitTalk } from './visit-talk.ts'

type ShoppingOptions = {
  readonly shopper: Shopper
  readonly vaultDoors: string | null
  /** Where cards are typed besides at shops. */
  readonly paymentHosts: Readonly<Record<Mode, PaymentHosts>>
  readonly faults: Faults
  readonly log: Log
}

type Means = {
  readonly chromiums: Chromiums
  readonly places: VisitPlaces
  readonly parked: ParkedVisits
}

type ShopCall = Exclude<ShopAsk, { ask: 'health' }>
type PriceAsk = Extract<ShopAsk, { ask: 'price' }>

/** How long a way to the checkout may take, counted from its place. Who asks waits for 25 seconds, and asks again. */
const longestWayMs = { nobody: 28_000, demo: 85_000 }

type Held = { readonly visit: OpenVisit; readonly giveBack: () => void }

/** What becomes of a visit after the question that it was opened for, other than its end. */
type Hold = {
  /** Its page stays open for the order. */
  keep(isSignedIn: boolean): string
  /** Its shopper waits for a person, and its place is free. Null: too many do. */
  park(pricing: PricingVisit, wants: 'code' | 'answers'): string | null
}

/** What the browser process answers to the questions of workers about carts. */
export class Shopping {
  readonly #options: ShoppingOptions
  readonly #means: Means

  constructor(options: ShoppingOptions, means: Means) {
    this.#options = options
    this.#means = means
  }

  async product(ask: Extract<ShopAsk, { ask: 'product' }>, caller: Caller): Promise<ShopProductAnswer> {
    const { shopper, log } = this.#options
    const held = await this.#open(ask, caller)
    if ('kind' in held) return held
    return this.#during(held, caller, async ({ visit, fault }) => {
      try {
        return await untilEnded(visit.signal, shopper.product(visit, ask.request))
      } catch (error) {
        if (!visit.signal.aborted) log.warn({ err: error }, 'browser: no product was read')
        return { kind: 'unavailable', why: fault() ?? whyOf(error, visit.signal) }
      }
    })
  }

  async way(ask: Extract<ShopAsk, { ask: 'way' }>, caller: Caller): Promise<ShopWayAnswer> {
    const { shopper, log } = this.#options
    const held = await this.#open(ask, caller)
    if ('kind' in held) return held
    return this.#during(held, caller, async ({ visit, fault }) => {
      const longestMs = longestWayMs[ask.request.buyer]
      try {
        return await untilEnded(visit.signal, shopper.way(visit, ask.request, longestMs))
      } catch (error) {
        if (!visit.signal.aborted) log.warn({ err: error }, 'browser: no way to the checkout was found out')
        return { kind: 'unavailable', why: fault() ?? whyOf(error, visit.signal) }
      }
    })
  }

  async price(ask: PriceAsk, caller: Caller): Promise<ShopPrice> {
    const { signIn, request } = ask
    const session = signIn?.session ?? ask.session ?? null
    if (session !== null) {
      const said = await this.#goOn(ask, session, caller)
      if (said !== null) return said
      // A code is of no use elsewhere. What was answered is typed anew.
      if (signIn != null) return signInAnew
    }
    const { shopper, vaultDoors, log } = this.#options
    const held = await this.#open(ask, caller)
    if ('kind' in held) return held
    return this.#during(held, caller, async (opened, hold) => {
      const { visit } = opened
      const open = ticketOpener({ visit, cart: request.cart, vaultDoors, log })
      const talk = new VisitTalk(open, signIn?.ticket ?? null)
      const means = { reader: this.#reader(ask, caller), signIn: talk.signIn, ask: talk.ask }
      const work = this.#read(request.cart, opened, shopper.price(visit, request, means))
      return this.#talked({ visit: opened, talk, work }, hold)
    })
  }

  /** The shopper that waits for a person gets what that one has given, and goes on from where it is. Null: it is gone. */
  async #goOn(ask: PriceAsk, session: string, caller: Caller): Promise<ShopPrice | null> {
    const { parked, places } = this.#means
    if (!parked.has(session)) return null
    let giveBack: () => void
    try {
      giveBack = await places.take(ask.share, caller.signal)
    } catch (error) {
      if (error instanceof NoPlace) return noRoom(error.message)
      throw error
    }
    const pricing = parked.take(session, (visit) => isFor(visit, ask))
    if (pricing === null) {
      giveBack()
      return null
    }
    pricing.talk.resume({ ticket: ask.signIn?.ticket ?? null, answers: ask.request.answers ?? [] })
    return this.#during({ visit: pricing.visit, giveBack }, caller, (_visit, hold) =>
      this.#talked(pricing, hold),
    )
  }

  /** The price, or what the shop wants of a person. */
  async #talked(pricing: PricingVisit, hold: Hold): Promise<ShopPrice> {
    const { visit, talk, work } = pricing
    const first = await Promise.race([work, talk.wish()])
    if (first.kind === 'code') return asksForCode(first, hold.park(pricing, 'code'))
    if (first.kind === 'answers') return { ...first.question, session: hold.park(pricing, 'answers') }
    return await kept(first, visit, () => hold.keep(talk.isSecretOut))
  }

  /** It never fails: somebody may be there for it only later. */
  async #read(cart: string, { visit, fault }: OpenVisit, work: Promise<ShopPrice>): Promise<ShopPrice> {
    const { signal } = visit
    try {
      return await untilEnded(signal, work)
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error, cart }, 'browser: no price was read')
      // Such a page does so every time, and costs its tenant's place each time.
      if (fault() !== null) return { kind: 'refused', code: 'merchant_unavailable', message: null }
      return { kind: 'unavailable', why: whyOf(error, signal) }
    }
  }

  async place(ask: Extract<ShopAsk, { ask: 'place' }>, caller: Caller): Promise<ShopPlaced> {
    const { request, offer } = ask
    const { reference } = offer
    const resumed =
      reference === null ? null : this.#means.places.resume(reference, (visit) => isFor(visit, ask))
    const held = resumed ?? (await this.#open(ask, caller))
    if ('kind' in held) return held
    const { shopper, log, vaultDoors } = this.#options
    return this.#during(held, caller, async ({ visit, fault }) => {
      const card = cardFetcher({ visit, request, caller, vaultDoors, log })
      try {
        if (resumed === null) {
          const reader = this.#reader(ask, caller)
          const again = await untilEnded(visit.signal, shopper.price(visit, request, { reader }))
          if (again.kind !== 'offer') return refusedBefore(again)
          if (!isStillOffered(offer, again.offer))
            return refused('price_changed', 'The shop no longer offers what was agreed to.')
        }
        const said = await untilEnded(visit.signal, shopper.place(visit, request, offer, card.fetch))
        if (said.kind === 'placed') await visit.at('page.confirmed')
        return said
      } catch (error) {
        const why = fault() ?? whyOf(error, visit.signal)
        if (!visit.signal.aborted) log.warn({ err: error, cart: request.cart }, 'browser: an order broke off')
        // With the card in the page, its script may have ordered.
        return card.isHanded() ? { kind: 'unknown', why } : refused('merchant_unavailable', why)
      }
    })
  }

  /** The reader that the worker has; it lasts as long as the question. */
  #reader(
    { has_reader, request: { cart } }: Extract<ShopAsk, { has_reader: boolean }>,
    caller: Caller,
  ): PageReader | null {
    if (!has_reader) return null
    return {
      move: (page) => {
        this.#options.log.info(
          { cart, aim: page.aim },
          'browser: the rules are stuck, a page reader is asked',
        )
        return caller.wantsMove(page)
      },
    }
  }

  /** A fresh visit. That there is none is our own doing, and nobody else's. */
  async #open({ mode, share, request }: ShopCall, caller: Caller): Promise<Held | ShopNoRoom> {
    const { chromiums, places } = this.#means
    const { paymentHosts, faults, log } = this.#options
    let giveBack: () => void
    try {
      giveBack = await places.take(share, caller.signal)
    } catch (error) {
      if (error instanceof NoPlace) return noRoom(error.message)
      throw error
    }
    try {
      return {
        visit: await openVisit({
          chromiums,
          mode,
          share,
          request,
          paymentHosts: paymentHosts[mode],
          faults,
          log,
        }),
        giveBack,
      }
    } catch (error) {
      giveBack()
      log.warn({ err: error }, 'browser: no visit could be opened')
      return noRoom(error instanceof ChromiumFailure ? error.message : 'Chromium does not answer')
    }
  }

  /** Works on a visit that ends when its worker goes, and after the work, unless it is held. */
  async #during<T>(
    { visit, giveBack }: Held,
    caller: Caller,
    work: (visit: OpenVisit, hold: Hold) => Promise<T>,
  ): Promise<T> {
    const { places, parked } = this.#means
    const onGone = () => void visit.close()
    caller.signal.addEventListener('abort', onGone, { once: true })
    if (caller.signal.aborted) onGone()
    visit.tellEvidence((evidence) => caller.evidence(evidence))
    let isHeld = false
    const letGo = () => {
      isHeld = true
      caller.signal.removeEventListener('abort', onGone)
      visit.tellEvidence(() => undefined)
    }
    const hold: Hold = {
      keep(isSignedIn) {
        letGo()
        return places.keep(visit, giveBack, isSignedIn)
      },
      park(pricing, wants) {
        if (caller.signal.aborted) return null
        const session = parked.park(pricing, wants)
        if (session === null) return null
        letGo()
        giveBack()
        return session
      },
    }
    try {
      return await work(visit, hold)
    } finally {
      caller.signal.removeEventListener('abort', onGone)
      if (!isHeld) {
        await visit.close()
        giveBack()
      }
    }
  }
}

/** The page that waited is gone, and what was in the ticket with it: nothing is opened, and the person begins again. */
const signInAnew: ShopSignIn = {
  kind: 'sign_in',
  isRefused: false,
  message: null,
  host: null,
  session: null,
}

async function kept(said: ShopPrice, { visit }: OpenVisit, keep: () => string): Promise<ShopPrice> {
  if (said.kind !== 'offer') return said
  await visit.at('page.priced')
  return { ...said, offer: { ...said.offer, reference: visit.signal.aborted ? null : keep() } }
}

function asksForCode({ kind: _, ...wish }: CodeWish, session: string | null): ShopSignIn {
  // With no room to wait for it, the code is of no use.
  return session === null ? { ...signInAnew, host: wish.host } : { kind: 'sign_in', ...wish, session }
}

function noRoom(why: string): ShopNoRoom {
  return { kind: 'no_room', why }
}

function isFor(
  visit: OpenVisit,
  { mode, share, request }: Pick<PriceAsk, 'mode' | 'share' | 'request'>,
): boolean {
  const isSame = isDeepStrictEqual(withoutAnswers(visit.request), withoutAnswers(request))
  return visit.mode === mode && visit.share === share && isSame
}

/** What was answered on the way is known to the page that goes on. */
function withoutAnswers(request: OpenVisit['request']): object {
  return { ...request, answers: [] }
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
