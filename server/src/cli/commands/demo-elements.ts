import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Id } from '../../core/id.ts'
import { issueKey } from '../../domain/accounts/api-keys/public.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import { programFiles } from '../../platform/files/program-files.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { freePort } from '../up/free-port.ts'
import type { Up } from '../up/start-up.ts'

/** Shows the address of an integrator's site, as long as it runs. */
export async function showElements(up: Up, show: (siteUrl: string) => void): Promise<void> {
  const { url, ended } = await openSite(up)
  show(url)
  await ended
}

/** The site of an integrator beside the service. It ends with this process. */
export async function openSite(up: Up): Promise<{ url: string; ended: Promise<unknown>; stop(): void }> {
  const { elementsUrl, vaultUrl } = roleConfig(up.state.path)
  if (elementsUrl === null || vaultUrl === null)
    throw new CommandFailure(
      'Components need a vault, and there is none here: DATABASE_VAULT_URL is not set.',
    )
  const port = await freePort()
  const site = startSite(up, { elementsUrl, port, publishableKey: await pageKey(up, port) })
  const ended = once(site, 'exit')
  const line = once(createInterface({ input: site.stdout }), 'line')
  const [said] = await Promise.race([line, ended])
  if (typeof said !== 'string') throw new CommandFailure('The site of the integrator did not start.')
  return { url: JSON.parse(said).site_url, ended, stop: () => site.kill() }
}

/** A key for the pages of the site alone. */
async function pageKey({ ready, state }: Up, port: number): Promise<string> {
  const tenant = { accountId: ready.account_id as Id<'acct'>, mode: 'test' } as const // as `up` has made it
  const { token } = await administer(roleConfig(state.path), (admin) =>
    admin.inTenant(tenant, async (ctx) =>
      issueKey(ctx, {
        kind: 'publishable',
        name: 'site of the demo',
        preset: 'full',
        origins: [`http://localhost:${port}`],
        capabilities: ['elements'],
      }),
    ),
  )
  return token
}

type Site = { elementsUrl: string; port: number; publishableKey: string }

function startSite({ ready }: Up, { elementsUrl, port, publishableKey }: Site) {
  const { base_url, keys, sandbox } = ready
  const options = {
    url: base_url,
    elements: elementsUrl,
    'publishable-key': publishableKey,
    item: sandbox.item_url,
    amount: String(sandbox.item_price),
    currency: sandbox.item_currency,
    port: String(port),
  }
  const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const args = [programFiles.sandbox, 'integrator', '--json', '--parent-pipe', ...named]
  const env = { ...processEnvironment(), PROKURA_API_KEY: keys.secret_test }
  return spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
}
