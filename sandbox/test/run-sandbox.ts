import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StrangersFacts } from '../src/strangers/strangers-server.ts'

const bin = fileURLToPath(new URL('../bin/prokura-sandbox.js', import.meta.url))

export type Json = Record<string, unknown>

export type Reply = { status: number; body: Json }

/** A folder of its own for every test, gone after it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'prokura-sandbox-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

type Ready = Record<string, string | null> & { strangers: StrangersFacts }

/** The real command in a real process, so that kill -9 means what it says. */
export async function runSandbox(args: string[]) {
  const child = spawn(process.execPath, [bin, '--json', '--parent-pipe', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (typeof line !== 'string') throw new Error('The sandbox ended before it was ready')
  const { strangers: facts, ...urls }: Ready = JSON.parse(line)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return await exited
  }
  return {
    processor: urls.processor_url ?? '',
    merchant: urls.merchant_url ?? '',
    shops: urls.shops_url ?? '',
    catalog: urls.catalog_url ?? '',
    stripe: urls.stripe_url ?? '',
    strangers: urls.strangers_url ?? '',
    /** What a client of the shops with web pages needs. */
    facts,
    urls,
    controlToken: urls.control_token ?? '',
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    closeParentPipe: async () => {
      child.stdin.end()
      return await exited
    },
  }
}

/** What services that a test starts in its own process take as theirs. */
export const controlToken = 'open-sesame'

/** Changes how a service behaves, as who holds its token may. */
export function control(url: string, body: unknown, token = controlToken): Promise<Reply> {
  return post(url, body, { authorization: `Bearer ${token}` })
}

/** Rejects when the connection breaks before an answer came. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

export async function get(url: string): Promise<Reply> {
  const response = await fetch(url)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

export async function readLog(url: string): Promise<Json[]> {
  const response = await fetch(`${url}/log`)
  return JSON.parse(await response.text())
}
