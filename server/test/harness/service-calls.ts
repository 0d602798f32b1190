import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { prokura } from './command-runner.ts'
import { assertDocumented, documented } from './documented.ts'
import type { Service } from './up.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers that other tests hold to their schemas
type Answer = any

/** A folder for the state of a service. */
export async function makeFolder(): Promise<{ folder: string; state: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-cli-'))
  // As most folders: other users may enter it.
  await chmod(folder, 0o755)
  // A PostgreSQL whose service was killed goes on writing for a moment.
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 })
  return { folder, state: join(folder, 'state'), remove }
}

/** Runs a command on the service of this folder, and reads the one line of JSON that it prints. */
export async function runForJson(state: string, args: readonly string[]): Promise<Answer> {
  const { code, out, err } = await prokura([...args, '--state', state, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.trim().split('\n')).toHaveLength(1)
  return JSON.parse(out)
}

type Request = { method: string; path: string; body?: unknown; key?: string }

/** Calls the service over REST, and compares its answer with the document. */
export async function callService(
  service: Service,
  { method, path, body, key = service.ready.keys.secret_test }: Request,
): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { status, headers } = response
  const answer: Answer = await response.json()
  assertDocumented(
    documented().answer({ method, path, status, header: (name) => headers.get(name), body: answer }),
  )
  return { status, body: answer }
}
