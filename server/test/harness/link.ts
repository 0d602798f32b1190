import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '../../src/schema/strict-json.ts'

const bin = fileURLToPath(new URL('../../../sandbox/bin/prokura-sandbox.js', import.meta.url))

/** The simulator of Link in a process of its own, and what merchants, banks and persons do there. */
export async function startLink() {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-link-'))
  const args = [bin, 'link', '--json', '--parent-pipe', '--state', folder]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (typeof line !== 'string') throw new Error('the simulator ended before it was ready')
  const { link_url: url, control_token: token } = JSON.parse(line) as Record<string, string>

  return {
    ...linkAt({ url: url ?? '', token: token ?? '' }),
    async stop() {
      child.stdin.end()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

/** The simulator of Link where it runs. */
export function linkAt({ url, token }: { url: string; token: string }) {
  async function control(path: string, body: JsonValue = {}) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/control/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const form = (path: string, fields: Record<string, string>) =>
    fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })

  return {
    url,
    control,
    form,
    /** What a person says on a page. */
    say: (page: string, answer: 'yes' | 'no') => form(page, { answer }),
    fault: (operation: string, how: string) => control('faults', { operation, how }),
    pass: (seconds: number) => control('clock', { forward_seconds: seconds }),
    log: async () =>
      (await (await fetch(`${url}/log`)).json()) as { operation: string; id: string; status: string }[],
    /** The person of a wallet, which is known by the code of its sign-in, ends what they have let a program do. */
    signOut: (code: string) => control(`wallets/${code}/sign_out`),
    empty: (code: string, is_empty: boolean) => control(`wallets/${code}/empty`, { is_empty }),
    observations: async () =>
      (await (await fetch(`${url}/observations`)).json()) as { outcome: string; spend_request_id: string }[],
    /** Signs a program in to a new wallet; its access token. */
    async signIn(): Promise<string> {
      const begun = (await (
        await form('/device/code', {
          client_id: 'lwlpk_test',
          scope: 'userinfo:read payment_methods.agentic',
        })
      ).json()) as Record<string, string>
      await form(begun.verification_uri_complete ?? '', { answer: 'yes' })
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const said = await form('/device/token', { grant_type, device_code: begun.device_code ?? '' })
      return ((await said.json()) as { access_token: string }).access_token
    },
  }
}
