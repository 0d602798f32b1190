import { readFileSync } from 'node:fs'
import type { Kind } from './kinds.ts'

/** One request as an endpoint received it, written down before it was answered. */
export type Reception = {
  /** Milliseconds of the wall clock. */
  at: number
  endpoint: string
  kind: Kind
  /** As the headers name them. */
  destination: string
  event: string
  type: string
  responseUrl: string | null
  signature: string
  /** Of the bytes of the body. */
  digest: string
  /** As the body names them, an order or a quote; null when it is not what an envelope should be. */
  body: { id: string; order: string; sequence: number } | null
  /** Which of the endpoint's secrets, oldest first, Stripe's library accepts the signature under. */
  verified: number[]
  /** What it is about to be answered; null: nothing whole. */
  status: number | null
}

/** Reads what the endpoints wrote. The last line of a process that was killed may be half written: that request was not answered. */
export function readJournals(paths: readonly string[]): Reception[] {
  const lines = paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  return lines.flatMap((line) => {
    try {
      const reception: Reception = JSON.parse(line)
      return [reception]
    } catch {
      return []
    }
  })
}
