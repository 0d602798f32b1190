import { isIP } from 'node:net'
import { isLoopbackAddress } from '../../../platform/egress/address.ts'
import { isLoopbackName } from '../../../platform/egress/target.ts'
import { bookTest } from './confirmations.sql.ts'

/** How many seconds attempts at a host are counted. */
export const hostWindowSeconds = 3_600

/** The host in whose hour a test counts; null for this machine, which only its operator can have opened. */
export function countedHost(url: string): string | null {
  const { hostname } = new URL(url)
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  const isHere = isIP(host) === 0 ? isLoopbackName(host) : isLoopbackAddress(host)
  return isHere ? null : host
}

/** Retries leave this many places of an hour to tests that are new or requested: failing endpoints do not keep others from confirming. */
const placesForNewTests = 2

/** Below how many attempts in the hour one more may be made. */
export function placesFor(isRetry: boolean, limit: number): number {
  return isRetry ? Math.max(1, limit - placesForNewTests) : limit
}

/** A place in the hour of a host, for one attempt of a delivery under one lease; the first lease is 1. */
export function placeInHour(
  host: string,
  attempt: { id: string; lease_token: bigint },
  { limit, now }: { limit: number; now: Date },
) {
  return bookTest({ host, test: `${attempt.id}/${attempt.lease_token}`, limit, now })
}

/** When a host has room again; if the booking does not say, another test was booked at this very moment. */
export function freeAt({ free_at }: { free_at: Date | null }, now: Date): Date {
  return free_at !== null && free_at > now ? free_at : new Date(now.getTime() + hostWindowSeconds * 1000)
}
