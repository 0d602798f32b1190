import { BadRequest } from '../fields.ts'
import type { Authorization, Credential, Ledger, Stored } from './ledger.ts'

type Page = { since: string | null; until: string | null; from: number; limit: number }

type HoldList = { data: { key: string; hold: Authorization | Credential }[]; next: string | null }

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
export function listHolds({ openings, objects }: Ledger, { since, until, from, limit }: Page): HoldList {
  const data: HoldList['data'] = []
  let at = from
  for (; at < openings.length && at - from < looksMax && data.length < limit; at++) {
    const { key, objectId } = openings[at] ?? { key: '', objectId: '' }
    const hold = objects.get(objectId)
    if (!isOpen(hold)) continue
    const isInTime =
      (since === null || hold.created_at >= since) && (until === null || hold.created_at < until)
    if (isInTime) data.push({ key, hold })
  }
  return { data, next: at < openings.length ? String(at) : null }
}

function isOpen(object: Stored | undefined): object is Authorization | Credential {
  if (object?.object === 'authorization') return object.status === 'authorized'
  return object?.object === 'credential' && object.status === 'active'
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
