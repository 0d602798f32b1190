import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SandboxNames } from '../../src/platform/egress/egress.ts'
import { expectDescribed } from './stripe.ts'

const bin = fileURLToPath(new URL('../../../sandbox/bin/prokura-sandbox.js', import.meta.url))

/** One line of the processor's memory. */
type ProcessorEntry = {
  key: string
  operation: string
  amount: number | null
  currency: string | null
  reference: string | null
  result: string
}
/** One line of the shops' memory. */
type ShopEntry = {
  key: string
  cart_key: string | null
  amount: number | null
  order_id: string | null
  result: string
}

export type FaultRule = {
  match: { operation?: string; reference_contains?: string; key_contains?: string; card?: string }
  fault: string
  times?: number
}

export type Sandbox = {
  processorUrl: string
  shopsUrl: string
  merchantUrl: string
  stripeUrl: string
  linkUrl: string
  /** Where the shops with web pages testify. */
  strangersUrl: string
  /** The names of these shops, and who vouches for them. */
  names: SandboxNames
  /** The hash of the key that vouches for them, as a browser pins it. */
  keyPin: string
  controlToken: string
  processorLog(): Promise<ProcessorEntry[]>
  shopsLog(): Promise<ShopEntry[]>
  /** Makes the processor fail where the rule says. */
  fault(rule: FaultRule): Promise<void>
  clearFaults(): Promise<void>
  /** The processor forgets all keys, as real ones do after a day or a month. Their objects stay. */
  forgetKeys(): Promise<void>
  stop(): Promise<void>
}

type Strangers = {
  addresses: Record<string, string>
  authority: { certificate: string; key_pin: string }
  payment_hosts: { host: string; roles: string[] }[]
}

/** The outside world in a process of its own, with a memory that our database cannot reach. */
export async function startSandbox(
  settings: { slowMs?: number; lateConfirmationMs?: number; closesKeys?: boolean } = {},
): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-sandbox-test-'))
  const config = join(folder, 'config.json')
  const { slowMs = 50, lateConfirmationMs = 400, closesKeys = true } = settings
  await writeFile(
    config,
    JSON.stringify({
      shops: { slow_ms: slowMs, late_confirmation_ms: lateConfirmationMs },
      processor: { closes_keys: closesKeys },
    }),
  )
  const child = spawn(
    process.execPath,
    [bin, '--json', '--parent-pipe', '--state', join(folder, 'state'), '--config', config],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (typeof line !== 'string') throw new Error('the sandbox ended before it was ready')
  const ready: Record<string, string> & { strangers: Strangers } = JSON.parse(line)
  const { strangers, ...urls } = ready
  const authorization = `Bearer ${urls.control_token}`
  const { processor_url: processorUrl = '', shops_url: shopsUrl = '', merchant_url: merchantUrl = '' } = urls
  return {
    processorUrl,
    shopsUrl,
    merchantUrl,
    stripeUrl: urls.stripe_url ?? '',
    linkUrl: urls.link_url ?? '',
    strangersUrl: urls.strangers_url ?? '',
    names: {
      addresses: strangers.addresses,
      certificate: strangers.authority.certificate,
      paymentHosts: strangers.payment_hosts,
    },
    keyPin: strangers.authority.key_pin,
    controlToken: urls.control_token ?? '',
    processorLog: () => readLog<ProcessorEntry>(processorUrl),
    shopsLog: () => readLog<ShopEntry>(shopsUrl),
    async fault(rule) {
      const response = await fetch(`${processorUrl}/control/faults`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(rule),
      })
      if (response.status !== 201)
        throw new Error(`the processor does not take this fault: ${await response.text()}`)
    },
    async clearFaults() {
      await fetch(`${processorUrl}/control/faults`, { method: 'DELETE', headers: { authorization } })
    },
    async forgetKeys() {
      const { status } = await fetch(`${processorUrl}/control/keys/forget`, {
        method: 'POST',
        headers: { authorization },
      })
      if (status !== 200) throw new Error(`the processor forgets nothing: ${status}`)
    },
    async stop() {
      const difference = await expectDescribed(urls.stripe_url ?? '').catch((error: Error) => error)
      child.stdin.end()
      await exited
      await rm(folder, { recursive: true, force: true })
      if (difference) throw difference
    },
  }
}

async function readLog<Entry>(url: string): Promise<Entry[]> {
  const response = await fetch(`${url}/log`)
  return JSON.parse(await response.text())
}
