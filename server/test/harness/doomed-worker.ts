import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { testKeys } from './app.ts'
import { mainProgram } from './built-program.ts'
import type { Buying } from './buying.ts'
import { stripeLiveKey } from './stripe.ts'
import { serviceEnvironment } from './up.ts'

/** A worker of live mode in a process of its own, which dies when it passes the point for the n-th time, or is killed before. */
export function startDoomedWorker(
  { app, sandbox }: Pick<Buying, 'app' | 'sandbox'>,
  point: CrashPoint,
  { hit = 1, settings = {} }: { hit?: number; settings?: Readonly<Record<string, string>> } = {},
) {
  const child = spawn(process.execPath, [mainProgram, 'worker'], {
    env: {
      ...serviceEnvironment(),
      DATABASE_URL: app.databaseUrl,
      PROKURA_KEYS: testKeys,
      PROKURA_FAULTS: 'on',
      PROKURA_CRASH_AT: `${point}:${hit}`,
      PROKURA_TEST_CLOCK: 'on',
      PROKURA_LIVE_RAIL: 'stripe',
      PROKURA_STRIPE_URL: sandbox.stripeUrl,
      PROKURA_STRIPE_SECRET_KEY: stripeLiveKey,
      PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
      PROKURA_PUBLIC_URL: app.url,
      PROKURA_ELEMENTS_URL: 'https://elements.example.com',
      PROKURA_CARDS_URL: 'https://cards.example.com',
      PROKURA_LIVE_CAP_DAILY: '1000000.00 USD',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return {
    /** How it ended: the signal, or its exit code. */
    ended: once(child, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`),
    kill: () => void child.kill('SIGKILL'),
    /** The end of what it complained of. */
    said: () => said.slice(-2_000),
  }
}
