import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../../../src/cli/up/child.ts'
import { freePort } from '../../../src/cli/up/free-port.ts'
import { patientMs } from '../../gate/pace.ts'
import { sandboxProgram } from '../../harness/built-program.ts'
import { expectDescribed, stripeLiveKey } from '../../harness/stripe.ts'

/** The simulator of Stripe in a process of its own, which can be killed alone and is started again. */
export type StripeProcess = { url: string; controlToken: string; pid(): number; stop(): Promise<void> }

export async function startStripeProcess(): Promise<StripeProcess> {
  const state = await mkdtemp(join(tmpdir(), 'prokura-stripe-'))
  const port = await freePort()
  const child = await startChild({
    role: 'stripe',
    args: [
      ...[sandboxProgram, '--state', state, '--role', 'stripe', '--stripe-port', String(port)],
      ...['--json', '--parent-pipe'],
    ],
    env: process.env,
    logFile: join(state, 'stripe.log'),
    readyTimeoutMs: patientMs(30_000),
    onRestart: () => undefined,
  })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    controlToken: String(child.ready.control_token),
    pid: () => child.pid,
    async stop() {
      const difference = await expectDescribed(url).catch((error: Error) => error)
      await child.stop(3000)
      await rm(state, { recursive: true, force: true })
      if (difference) throw difference
    },
  }
}

/** What a service needs to charge cards there in live mode. */
export function liveSettings({ url }: StripeProcess): Record<string, string> {
  return {
    PROKURA_LIVE_RAIL: 'stripe',
    PROKURA_STRIPE_URL: url,
    PROKURA_STRIPE_SECRET_KEY: stripeLiveKey,
    PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
    // Of the start alone, which then says its own.
    PROKURA_PUBLIC_URL: 'http://127.0.0.1:4000',
    PROKURA_ELEMENTS_URL: 'http://elements.localhost:4000',
    PROKURA_VAULT_URL: 'http://vault.localhost:4001',
    PROKURA_CARDS_URL: 'http://cards.localhost:4000',
    PROKURA_LIVE_CAP_DAILY: '10000000.00 USD',
  }
}
