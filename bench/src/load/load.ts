import { fileURLToPath } from 'node:url'
import type { Work } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'

/** `{{n}}` stands for a number of the operation's own, `{{id}}` for the first answer's id, `{{value}}` for one of the order's values. */
export type LoadRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  /** The status that the answer must have. Any other ends the bench. */
  status: number
}

export type LoadOrder = {
  url: string
  requests: readonly LoadRequest[]
  concurrency: number
  seconds: number
  /** Ends earlier when this many operations are done. */
  operations?: number
  values?: readonly string[]
  /** Makes the numbers of one bench different from those of another. */
  run: string
}

export type LoadReport = Required<Pick<Work, 'operations' | 'seconds' | 'latencyMs'>> & {
  failure: string | null
}

type Load = {
  run(order: Omit<LoadOrder, 'run'>): Promise<Required<Pick<Work, 'operations' | 'seconds' | 'latencyMs'>>>
  stop(): Promise<void>
}

const script = fileURLToPath(new URL('./load-process.ts', import.meta.url))

/** A load generator in a process of its own: kept-alive connections, a fixed number of requests under way. */
export async function startLoad(): Promise<Load> {
  const child = await startBenchChild<{ ready: true }>(script)
  const run = Date.now().toString(36)
  return {
    async run(order) {
      child.send({ ...order, run })
      const { failure, ...work } = (await child.nextLine()) as LoadReport // the script's only kind of line
      if (failure !== null) throw new Error(failure)
      return work
    },
    stop: () => child.stop(),
  }
}

/** A JSON request with a key. */
export function jsonRequest(
  key: string,
  method: 'GET' | 'POST',
  path: string,
  status: number,
  body?: object,
  headers: Record<string, string> = {},
): LoadRequest {
  const payload = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method,
    path,
    status,
    headers: { authorization: `Bearer ${key}`, ...type, ...headers },
    ...payload,
  }
}
