import type { Mode } from '../../contract/context.ts'
import { amountFromJson, amountToJson } from '../../core/amounts-in-json.ts'
import type { OfferRequest } from '../../domain/buying/channels/port.ts'
import type { ReaderPage } from './page-reader.ts'
import {
  evidenceStages,
  type Offer,
  type ShopEvidence,
  type ShopLook,
  type ShopPlaced,
  type ShopPrice,
  type ShopProductAnswer,
  type ShopRequest,
  type ShopWayAnswer,
  type ShopWayRequest,
} from './shopping-words.ts'

/** How the words of worker and browser process are written at the door of the browser: a line of JSON each. */

/** The socket, in the folder of the browser's door. */
export const browserDoor = 'door'

/** What a worker asks, in its first line. `share`: whom the place that it takes is counted for. */
export type ShopAsk =
  | {
      readonly ask: 'price'
      readonly mode: Mode
      readonly share: string
      readonly request: ShopRequest
      readonly signIn?: OfferRequest['signIn']
      /** The page that waits for the answers of the request. */
      readonly session?: string | null
      readonly has_reader: boolean
    }
  | {
      readonly ask: 'place'
      readonly mode: Mode
      readonly share: string
      readonly request: ShopRequest
      readonly offer: Offer
      /** Whether the worker answers `wants_move`; otherwise no page is shown to it. */
      readonly has_reader: boolean
    }
  | { readonly ask: 'product'; readonly mode: Mode; readonly share: string; readonly request: ShopLook }
  | { readonly ask: 'way'; readonly mode: Mode; readonly share: string; readonly request: ShopWayRequest }
  | { readonly ask: 'health' }

/** What a worker says after that: that it is there still, and what it answers to `wants_card` and `wants_move`. */
type WorkerLine = { readonly beat: true } | { readonly grant: string | null } | { readonly move: unknown }

export type BrowserLine =
  | { readonly evidence: ShopEvidence }
  | { readonly wants_card: { readonly origin: string } }
  | { readonly wants_move: ReaderPage }
  | { readonly answer: ShopPrice | ShopPlaced | ShopProductAnswer | ShopWayAnswer | BrowserHealth }

/**
 * How the browser process is. `sandbox`: whether Chromium can wall off its own processes on this machine; `remedy` says what to change
 * where it cannot, or where there is no usable Chromium at all.
 */
export type BrowserHealth = {
  readonly pid: number
  readonly chromium: string | null
  readonly sandbox: 'on' | 'missing' | 'unknown'
  readonly remedy: string | null
  /** Which modes are served. */
  readonly serves: readonly Mode[]
  readonly running: number
  readonly visits: number
  /** Visits whose page stays open for the order. */
  readonly kept: number
  /** Visits whose page waits for what a person answers, or for a code that a shop has sent. */
  readonly parked: number
  readonly waiting: number
  /** Where cards are typed for shops: how many are known in live mode, and those that an operator has added. */
  readonly payment_hosts: {
    readonly known: number
    readonly added: readonly { readonly host: string; readonly roles: readonly string[] }[]
  }
}

/** A worker is silent for this long at most. Twice that, and its cart is dropped. */
export const beatMs = 5_000

/** Longer lines than these are nobody's of ours: a picture is a megabyte at most. */
export const lineBytesMax = { fromWorker: 262_144, fromBrowser: 4_194_304 } as const

export function writeLine(value: ShopAsk | WorkerLine | BrowserLine): string {
  if ('evidence' in value) {
    const { at, picture, ...rest } = value.evidence
    return line({ evidence: { ...rest, at: at.toISOString(), picture: picture.toString('base64') } })
  }
  return line(value)
}

function line(value: object): string {
  return `${JSON.stringify(value, amountToJson)}\n`
}

/** The value of a line, with its amounts as they are inside; undefined: it is not JSON. */
export function readLine(text: string): unknown {
  try {
    return JSON.parse(text, amountFromJson)
  } catch {
    return undefined
  }
}

/** The evidence of a line; null where it is not written as above. */
export function readEvidence(said: object): ShopEvidence | null {
  const { stage, at, urlHost, picture, totalText, hosts } = said as Record<string, unknown> // looked at below
  const known = evidenceStages.find((name) => name === stage)
  if (known === undefined || typeof at !== 'string' || typeof picture !== 'string') return null
  if (typeof urlHost !== 'string' || !Array.isArray(hosts)) return null
  return {
    stage: known,
    at: new Date(at),
    urlHost,
    picture: Buffer.from(picture, 'base64'),
    totalText: typeof totalText === 'string' ? totalText : null,
    hosts: hosts.filter((host) => typeof host === 'string'),
  }
}

/** Cuts what a socket brings into lines. It returns false for a line that is too long. */
export function lineCutter(bytesMax: number, onLine: (text: string) => void): (chunk: Buffer) => boolean {
  let parts: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      const text = Buffer.concat(parts).toString('utf8')
      parts = []
      size = 0
      from = end + 1
      onLine(text)
    }
    const rest = chunk.subarray(from)
    size += rest.length
    if (size > bytesMax) return false
    if (rest.length > 0) parts.push(rest)
    return true
  }
}
