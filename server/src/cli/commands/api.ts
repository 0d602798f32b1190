import type { Command } from 'commander'
import { createApi } from '../../app.ts'
import { createReads } from '../../platform/calls/reads.ts'
import { createVaultClient } from '../../platform/vault-client/vault-client.ts'
import { observeRequests } from '../../surfaces/http/observe-requests.ts'
import { openCardBank } from '../open-card-bank.ts'
import { openCatalogs } from '../open-catalogs.ts'
import { openKeepers } from '../open-keepers.ts'
import { openPayoutAccounts } from '../open-payout-accounts.ts'
import { watchTrouble } from '../operator/watch-trouble.ts'
import { ownPortsOf } from '../own-ports.ts'
import { openRole } from '../role.ts'
import { roleConfig } from '../role-config.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { sandboxNamesOf } from '../sandbox-names.ts'
import { onPort } from '../up/port-words.ts'
import { portNumber } from '../whole-number.ts'

export function defineApi(command: Command): void {
  command
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join (default: all settings come from the environment)',
    )
    .option('--port <n>', 'the port to listen on; 0 takes a free one (default: PORT)', portNumber)
    .option('--parent-pipe', 'stop when standard input closes')
    .action(async (options: { state?: string; port?: number; parentPipe?: boolean }) => {
      const given = roleConfig(options.state)
      const config = { ...given, port: options.port ?? given.port }
      const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
      const role = await openRole('api', config, publicUrl)
      const metricsUrl = role.metricsServer?.url ?? null
      const elsewhere = openCatalogs(config, {
        reads: createReads(role.parts.pools),
        publicUrl,
        metricsUrl,
      })
      const banks = openCardBank(config)
      const keeping = openKeepers(config)
      const paying = openPayoutAccounts(config)
      const vault = config.vaultDoors === null ? null : createVaultClient(config.vaultDoors)
      const api = createApi(role.parts, {
        catalogs: elsewhere.catalogs,
        ...(vault === null ? {} : { vault, ticketVault: vault }),
        cardBank: banks.bank,
        ...keeping.keepers,
        payoutAccounts: paying.accounts,
        anonymousDiscovery: config.anonymousDiscovery,
        trustedProxies: config.trustedProxies,
        ucpHost: config.ucpHost,
        ownPorts: ownPortsOf(config, role.metricsServer?.url ?? null),
        sandboxNames: sandboxNamesOf(config),
        authorizationSecrets: config.authorizationSecrets,
        stripeWebhook: config.stripeWebhook,
        contentBytesMax: config.importBytesMax,
        onRequest: observeRequests(role),
        onBug: (error) => role.log.error({ err: error }, 'a request failed on our side'),
      })
      const { host, port } = config
      const url = await onPort({ host, port, setting: 'PORT' }, () => api.http.listen({ host, port })).catch(
        async (error: unknown) => {
          await api.stop()
          await Promise.all([elsewhere.close(), banks.close(), keeping.close(), paying.close()])
          await role.parts.close()
          throw error
        },
      )
      const trouble = watchTrouble({ pools: { read: role.parts.pools.survey }, log: role.log }, null)
      const ready = {
        role: 'api',
        base_url: url,
        metrics_url: metricsUrl,
        pid: process.pid,
      }
      await runUntilStopped(ready, options.parentPipe ?? false, async () => {
        role.metricsServer?.stopping()
        await Promise.all([api.stop(), trouble.stop()])
        await Promise.all([elsewhere.close(), banks.close(), keeping.close(), paying.close()])
        await role.parts.close()
      })
    })
}
