import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '../../../src/cli/up/child.ts'
import { freePort } from '../../../src/cli/up/free-port.ts'
import type { SandboxMerchant, SandboxUrls } from '../../../src/cli/up/sandbox-world.ts'
import { openStateFolder, stateFiles } from '../../../src/cli/up/state-folder.ts'
import { patientMs } from '../../gate/pace.ts'
import { sandboxProgram } from '../../harness/built-program.ts'
import type { Service } from '../whole-product.ts'

const roles = ['processor', 'shops', 'merchant', 'strangers'] as const
type Role = (typeof roles)[number]

/** Processor, shops, merchants' backend and the shops that know nothing of us, each in a process of its own that can be killed alone and is started again. */
export type OutsideWorld = {
  urls: Record<Role, string>
  logs: Record<Exclude<Role, 'strangers'>, string>
  /** The same for a service that is to find its outside world here. */
  sandbox: Partial<SandboxUrls>
  controlToken: string
  pids(): Record<Role, number>
  stop(): Promise<void>
}

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const state = await mkdtemp(join(tmpdir(), 'prokura-outside-'))
  const ports: Record<Role, number> = {
    processor: await freePort(),
    shops: await freePort(),
    merchant: await freePort(),
    strangers: await freePort(),
  }
  // Its pages stay where their names say, however often it is started again.
  const pages = await freePort(undefined, Object.values(ports))
  const urls = urlsOf(ports)
  const start = (role: Role) =>
    startChild({
      role,
      args: [
        ...[sandboxProgram, '--state', state, '--role', role, `--${role}-port`, String(ports[role])],
        ...[
          '--processor-url',
          urls.processor,
          '--strangers-web-port',
          String(pages),
          '--json',
          '--parent-pipe',
        ],
      ],
      env: process.env,
      logFile: join(state, `${role}.log`),
      readyTimeoutMs: patientMs(30_000),
      onRestart: () => undefined,
    })
  const [processor, shops, merchant, strangers] = await Promise.all([
    start('processor'),
    start('shops'),
    start('merchant'),
    start('strangers'),
  ])
  const children: readonly Child[] = [processor, shops, merchant, strangers]
  const controlToken = String(merchant.ready.control_token)
  return {
    urls,
    logs: {
      processor: `${urls.processor}/log`,
      shops: `${urls.shops}/log`,
      merchant: `${urls.merchant}/log`,
    },
    sandbox: {
      processor_url: urls.processor,
      shops_url: urls.shops,
      merchant_url: urls.merchant,
      strangers_url: urls.strangers,
      strangers: strangers.ready.strangers as SandboxUrls['strangers'], // the sandbox's documented ready line
      control_token: controlToken,
    },
    controlToken,
    pids: () => ({
      processor: processor.pid,
      shops: shops.pid,
      merchant: merchant.pid,
      strangers: strangers.pid,
    }),
    async stop() {
      await Promise.all(children.map((child) => child.stop(3000)))
      await rm(state, { recursive: true, force: true })
    },
  }
}

function urlsOf(ports: Record<Role, number>): Record<Role, string> {
  const url = (role: Role) => `http://127.0.0.1:${ports[role]}`
  return {
    processor: url('processor'),
    shops: url('shops'),
    merchant: url('merchant'),
    strangers: url('strangers'),
  }
}

/** What the operators of merchants and buyers do after an outage: they request everything that was not delivered since. */
export async function askForMissed(
  service: Service,
  since: Date,
  { shops, listener }: { shops: readonly { destination: string; key: string }[]; listener: string },
): Promise<void> {
  const ofSandbox = merchantsOf(service).map(({ destination_id, secret_test }) => ({
    destination: destination_id,
    key: secret_test,
  }))
  for (const { path, key } of [
    ...[...ofSandbox, ...shops].map(({ destination, key }) => ({
      path: `/v1/merchant/destinations/${destination}`,
      key,
    })),
    { path: `/v1/event_destinations/${listener}`, key: service.person },
  ]) {
    const body = JSON.stringify({ since: since.toISOString() })
    const asked = await service.client().rest({ method: 'POST', path: `${path}/recover`, key, body })
    if (asked.status !== 200)
      throw new Error(`what was missed could not be asked for: ${asked.status} ${asked.text}`)
  }
}

/** Every merchant here, with its keys. */
export function merchantsOf(service: Service): SandboxMerchant[] {
  const state = openStateFolder(String(service.environment.PROKURA_STATE_DIR), { create: false })
  return state.read<SandboxMerchant[]>(stateFiles.sandbox) ?? []
}

/**
 * Gives the service the current address of its merchants' backend, and that backend the address of the service. `merchantUrl` and
 * `apiOrigin` may lead over a proxy.
 */
export async function moveMerchants(
  service: Service,
  world: OutsideWorld,
  ways: { merchantUrl: string; apiOrigin: string },
): Promise<void> {
  for (const [index, merchant] of merchantsOf(service).entries()) {
    const path = index === 0 ? '' : `/m/${merchant.slug}`
    const moved = await service.client().rest({
      method: 'POST',
      path: `/v1/merchant/destinations/${merchant.destination_id}`,
      key: merchant.secret_test,
      body: JSON.stringify({ webhook: { endpoint_url: `${ways.merchantUrl}${path}/webhooks` } }),
    })
    if (moved.status !== 200)
      throw new Error(`a destination could not be moved: ${moved.status} ${moved.text}`)
    await control(world, `${path}/control/destinations`, {
      destination_id: merchant.destination_id,
      secret: merchant.destination_secret,
      api_origin: ways.apiOrigin,
    })
    await confirmEndpoint(
      service,
      `/v1/merchant/destinations/${merchant.destination_id}`,
      merchant.secret_test,
    )
  }
}

/** Has an endpoint that knows its secret confirm itself. */
export async function confirmEndpoint(service: Service, path: string, key: string): Promise<void> {
  const tested = await service.client().rest({ method: 'POST', path: `${path}/test`, key })
  if (tested.status !== 200) throw new Error(`${path} could not be tested: ${tested.status} ${tested.text}`)
}

/** Changes the settings of the merchants' backend. */
export async function control(world: OutsideWorld, path: string, body: object): Promise<void> {
  const told = await fetch(`${world.urls.merchant}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!told.ok) throw new Error(`the merchants' backend refused ${path} with ${told.status}`)
}
