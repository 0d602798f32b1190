import type { ReadableStream } from 'node:stream/web'
import { processEnvironment } from '../platform/config/config.ts'
import { CommandFailure } from './failure.ts'
import { roleConfig } from './role-config.ts'

/** An import as the API shows it. */
export type ImportAnswer = {
  id: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  bytes: number
  progress: {
    bytes: number
    rows: number
    created: number
    updated: number
    unchanged: number
    failed: number
  }
  errors: { line: number; loc: (string | number)[]; msg: string }[]
  failure: string | null
}

/** The command's side of the wire: an ordinary client of the public interface, for one merchant. */
export type CatalogApi = {
  get(path: string): Promise<ImportAnswer>
  /** Sends a file as it lies on the disk. */
  post(path: string, body: Blob): Promise<ImportAnswer>
  download(path: string, type: string): Promise<ReadableStream>
}

export function catalogApi({ url, key, state }: { url?: string; key?: string; state?: string }): CatalogApi {
  const token = key ?? processEnvironment().PROKURA_API_KEY
  if (!token)
    throw new CommandFailure('There is no API key. Set PROKURA_API_KEY to a secret key of the merchant.')
  const base = (url ?? serviceUrl(state)).replace(/\/+$/, '')
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...init.headers }
    const response = await fetch(`${base}${path}`, { ...init, headers }).catch((error: unknown) => {
      const { cause } = error as { cause?: unknown } // as fetch fails
      throw new CommandFailure(
        `${base} cannot be reached: ${cause instanceof Error ? cause.message : 'no answer'}. Check that the service runs, or name its address with --url.`,
      )
    })
    if (!response.ok)
      throw new CommandFailure(`${base}${path} answered ${response.status}: ${await refusalOf(response)}`)
    return response
  }
  return {
    get: async (path) => (await call(path)).json() as Promise<ImportAnswer>,
    post: async (path, body) => (await call(path, { method: 'POST', body })).json() as Promise<ImportAnswer>,
    async download(path, type) {
      const { body } = await call(path, { headers: { accept: type } })
      if (!body) throw new CommandFailure(`${base}${path} answered without a body.`)
      return body as ReadableStream // the same class under its other name
    },
  }
}

function serviceUrl(state: string | undefined): string {
  const { publicUrl, host, port } = roleConfig(state)
  return publicUrl ?? `http://${host}:${port}`
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const detail = (body as { detail?: { message?: string } | { msg: string }[] } | null)?.detail // of our own contract
  if (Array.isArray(detail)) return detail.map(({ msg }) => msg).join(', ')
  return detail?.message ?? response.statusText
}
