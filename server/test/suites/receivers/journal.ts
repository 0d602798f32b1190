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
  /** The order or quote in the body; null when the body is no proper envelope. */
  body: { id: string; order: string; sequence: number } | null
  /** The secrets of the endpoint, oldest first, under which Stripe's library accepts the signature. */
  verified: number[]
  /** The status that it is about to get; null: no whole answer. */
  status: number | null
}

/** Reads the endpoints' journals. The last line of a killed process may be half written: that request was not answered. */
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
