import { BadRequest } from '../fields.ts'
import type { Authorization, Credential, Ledger, Stored, VirtualCard } from './ledger.ts'
import { showCard, takesMore } from './virtual-card.ts'

type Page = { since: string | null; until: string | null; from: number; limit: number }

type HoldList = { data: { key: string; hold: object }[]; next: string | null }

/** One page looks at so many at most, open or not: a long history answers in many short pages. */
const looksMax = 20_000
const limitMax = 500

export function parsePage(query: URLSearchParams): Page {
  return {
    since: timeOf(query, 'since'),
    until: timeOf(query, 'until'),
    from: wholeOf(query, 'page', 0),
    limit: Math.min(wholeOf(query, 'limit', limitMax), limitMax),
  }
}

/** What is held and neither captured nor let go. A page is named by how many were made before its first. */
export function listHolds(
  { openings, objects }: Ledger,
  { since, until, from, limit }: Page,
  now: Date,
): HoldList {
  const data: HoldList['data'] = []
  let at = from
  for (; at < openings.length && at - from < looksMax && data.length < limit; at++) {
    const { key, objectId } = openings[at] ?? { key: '', objectId: '' }
    const hold = objects.get(objectId)
    if (!isOpen(hold, now)) continue
    const isInTime =
      (since === null || hold.created_at >= since) && (until === null || hold.created_at < until)
    if (isInTime) data.push({ key, hold: hold.object === 'virtual_card' ? showCard(hold, now) : hold })
  }
  return { data, next: at < openings.length ? String(at) : null }
}

function isOpen(object: Stored | undefined, now: Date): object is Authorization | Credential | VirtualCard {
  if (object?.object === 'virtual_card') return object.authorized > 0 || takesMore(object, now)
  // An authorization against a credential is the credential's hold: it is listed once.
  if (object?.object === 'authorization')
    return object.status === 'authorized' && object.credential_id === undefined
  return object?.object === 'credential' && (object.status === 'active' || object.status === 'authorized')
}

/** As objects keep it, so that times compare as texts. */
function timeOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (text === null) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new BadRequest(`${name} must be a date-time`)
  return time.toISOString()
}

function wholeOf(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new BadRequest(`${name} must be a whole number`)
  return Number(text)
}
