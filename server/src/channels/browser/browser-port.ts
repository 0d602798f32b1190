import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Mode } from '../../contract/context.ts'
import type { OfferRequest } from '../../domain/buying/channels/port.ts'
import { assertServedByOwner } from '../../platform/vault-client/private-socket.ts'
import { movesMax, type PageReader, readReaderPage } from './page-reader.ts'
import {
  type BrowserHealth,
  beatMs,
  browserDoor,
  lineBytesMax,
  lineCutter,
  readEvidence,
  readLine,
  type ShopAsk,
  writeLine,
} from './shopping-wire.ts'
import type {
  Offer,
  ShopEvidence,
  ShopLook,
  ShopPlaced,
  ShopPrice,
  ShopProductAnswer,
  ShopRequest,
  ShopWayAnswer,
  ShopWayRequest,
} from './shopping-words.ts'

/** `not_sent` proves that the browser did nothing. After `lost` nobody knows what it did. */
export type BrowserAway = { readonly kind: 'not_sent' } | { readonly kind: 'lost' }

type PriceCall = {
  readonly mode: Mode
  /** Whom the place is counted for: each gets its share, and nobody learns who it is. */
  readonly share: string
  /** Ends the visit. */
  readonly signal: AbortSignal
  readonly onEvidence: (evidence: ShopEvidence) => void
  /** Asked where the rules are stuck, before anything can be ordered; without one, nobody is. */
  readonly reader?: PageReader | null
}

type PlaceCall = PriceCall & {
  /**
   * Asked when the form stands there, for the exact origin that the card is typed into. What the worker has to write down before a card may
   * be used, it does here. Null: no card, and nothing is ordered.
   */
  readonly grant: (origin: string) => Promise<string | null>
}

/** The browser process, as a worker sees it. */
export interface BrowserPort {
  price(
    request: ShopRequest,
    call: PriceCall & Pick<OfferRequest, 'signIn'> & { readonly session?: string | null },
  ): Promise<ShopPrice | BrowserAway>
  place(
    request: ShopRequest,
    /** The page of its `reference` is used, where it is still open. */
    offer: Offer,
    call: PlaceCall,
  ): Promise<ShopPlaced | BrowserAway>
  /** Reads the page of a product, and does nothing there. */
  product(
    request: ShopLook,
    call: Pick<PriceCall, 'mode' | 'share' | 'signal'>,
  ): Promise<ShopProductAnswer | BrowserAway>
  /** Goes the way to the checkout before anybody buys. It orders nothing, and asks for no card. */
  way(
    request: ShopWayRequest,
    call: Pick<PriceCall, 'mode' | 'share' | 'signal' | 'onEvidence'>,
  ): Promise<ShopWayAnswer | BrowserAway>
  /** Null: it does not answer. */
  health(): Promise<BrowserHealth | null>
}

/** Longer than the first start of a browser process takes, which unpacks its Chromium. */
const healthMs = 60_000

/** `folder` is the folder of the browser's door. Nothing is opened before the first question. */
export function createBrowserPort(folder: string): BrowserPort {
  const path = join(folder, browserDoor)
  // The browser process is a part of this program: its answers are as the words say.
  return {
    price: (request, { mode, share, signIn = null, session = null, ...call }) =>
      converse(
        path,
        { ask: 'price', mode, share, request, signIn, session, has_reader: isReader(call) },
        { ...call, grant: () => Promise.resolve(null) },
      ) as Promise<ShopPrice | BrowserAway>,
    place: (request, offer, { mode, share, ...call }) =>
      converse(
        path,
        { ask: 'place', mode, share, request, offer, has_reader: isReader(call) },
        call,
      ) as Promise<ShopPlaced | BrowserAway>,
    product: (request, { mode, share, signal }) =>
      converse(path, { ask: 'product', mode, share, request }, { ...onlyReading, signal }) as Promise<
        ShopProductAnswer | BrowserAway
      >,
    way: (request, { mode, share, ...call }) =>
      converse(path, { ask: 'way', mode, share, request }, { ...onlyReading, ...call }) as Promise<
        ShopWayAnswer | BrowserAway
      >,
    async health() {
      const call = { ...onlyReading, signal: AbortSignal.timeout(healthMs) }
      const said = (await converse(path, { ask: 'health' }, call)) as BrowserHealth | BrowserAway
      return 'kind' in said ? null : said
    },
  }
}

function isReader({ reader = null }: Pick<PriceCall, 'reader'>): boolean {
  return reader !== null
}

/** Where nothing is bought, there is nothing to keep a picture of and nothing to pay. */
const onlyReading = { onEvidence: () => undefined, grant: () => Promise.resolve(null) }

/** One question has one connection: when it breaks, the browser drops the cart at once. */
function converse(
  path: string,
  ask: ShopAsk,
  { signal, onEvidence, grant, reader = null }: Omit<PlaceCall, 'mode' | 'share'>,
): Promise<object> {
  try {
    assertServedByOwner(path)
  } catch {
    return Promise.resolve({ kind: 'not_sent' })
  }
  if (signal.aborted) return Promise.resolve({ kind: 'not_sent' })
  const { promise, resolve, reject } = Promise.withResolvers<object>()
  let isSent = false
  const socket = connect(path)
  const giveUp = () => {
    resolve(isSent ? { kind: 'lost' } : { kind: 'not_sent' })
    socket.destroy()
  }
  socket.once('connect', () => {
    isSent = true
    socket.write(writeLine(ask))
  })
  const answerMove = moveAnswerer(socket, reader)
  const beat = setInterval(() => socket.write(writeLine({ beat: true })), beatMs / 2)
  const cut = lineCutter(lineBytesMax.fromBrowser, (text) => {
    const said = readLine(text)
    if (typeof said !== 'object' || said === null) return giveUp()
    try {
      if ('answer' in said && typeof said.answer === 'object' && said.answer !== null) resolve(said.answer)
      else if ('evidence' in said) tellEvidence(said.evidence, onEvidence)
      else if ('wants_card' in said) answerWish(socket, said.wants_card, grant).catch(fail)
      else if ('wants_move' in said) void answerMove(said.wants_move)
    } catch (error) {
      fail(error)
    }
  })
  const fail = (error: unknown) => {
    reject(error)
    socket.destroy()
  }
  socket.on('data', (chunk: Buffer) => {
    if (!cut(chunk)) giveUp()
  })
  socket.on('error', giveUp)
  socket.on('close', giveUp)
  signal.addEventListener('abort', giveUp, { once: true })
  return promise.finally(() => {
    clearInterval(beat)
    signal.removeEventListener('abort', giveUp)
    socket.destroy()
  })
}

function tellEvidence(said: unknown, onEvidence: (evidence: ShopEvidence) => void): void {
  const evidence = typeof said === 'object' && said !== null ? readEvidence(said) : null
  if (evidence !== null) onEvidence(evidence)
}

async function answerWish(
  socket: Socket,
  wish: unknown,
  grant: (origin: string) => Promise<string | null>,
): Promise<void> {
  const origin = typeof wish === 'object' && wish !== null && 'origin' in wish ? wish.origin : null
  socket.write(writeLine({ grant: typeof origin === 'string' ? await grant(origin) : null }))
}

/**
 * Answers with the moves of a reader; null where there is none. How often it is asked is counted here as well: what is asked comes from a
 * process that reads pages of strangers.
 */
function moveAnswerer(socket: Socket, reader: PageReader | null): (said: unknown) => Promise<void> {
  let asked = 0
  return async (said) => {
    const page = readReaderPage(said)
    asked += 1
    const isAsked = reader !== null && page !== null && asked <= movesMax
    // A reader that fails is stuck, and the purchase fails for its own reasons.
    const move = isAsked ? await reader.move(page).catch(() => null) : null
    if (!socket.destroyed) socket.write(writeLine({ move }))
  }
}
