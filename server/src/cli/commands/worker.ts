import type { Command } from 'commander'
import { createBrowserPort } from '../../channels/browser/browser-port.ts'
import { sweeps } from '../../composition.ts'
import { openDispatch } from '../../dispatch.ts'
import { exportHeads } from '../../platform/audit/export-heads.ts'
import { headFile } from '../../platform/audit/head-file.ts'
import { createReads } from '../../platform/calls/reads.ts'
import type { Config } from '../../platform/config/config.ts'
import { createRelay } from '../../platform/events/relay.ts'
import { createSweeper } from '../../platform/retention/sweeper.ts'
import { createVaultClient } from '../../platform/vault-client/vault-client.ts'
import { createWorker } from '../../platform/work/worker.ts'
import { openWork } from '../../work.ts'
import { CommandFailure } from '../failure.ts'
import { openCatalogs } from '../open-catalogs.ts'
import { egressTo, openChatModel, openReaderModel } from '../open-model.ts'
import { openWallets } from '../open-wallet-keeper.ts'
import { isOldestWorker, watchTrouble } from '../operator/watch-trouble.ts'
import { ownPortsOf } from '../own-ports.ts'
import { openRole } from '../role.ts'
import { roleConfig } from '../role-config.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { sandboxNamesOf } from '../sandbox-names.ts'

export function defineWorker(command: Command): void {
  command
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join (default: all settings come from the environment)',
    )
    .option('--parent-pipe', 'stop when standard input closes')
    .action(async (options: { state?: string; parentPipe?: boolean }) => {
      const config = roleConfig(options.state)
      const means = meansOf(config)
      const role = await openRole(
        'worker',
        config,
        config.publicUrl ?? `http://${config.host}:${config.port}`,
      )
      const { parts, log, metrics, faults } = role
      const [chatModel, readerModel] = [await chatModelIn(config), await readerModelIn(config)]
      const opened = openCatalogs(config, {
        reads: createReads(parts.pools),
        publicUrl: parts.settings.publicUrl,
        metricsUrl: role.metricsServer?.url ?? null,
      })
      const wallets = means.linkAccount === null ? null : openWallets(role.parts, means.linkAccount)
      const work = openWork({
        ...means,
        link: wallets?.parts ?? null,
        vault: config.vaultDoors === null ? null : createVaultClient(config.vaultDoors),
        browser: browserOf(config),
        readerModel: readerModel?.model ?? null,
        allowLoopback: config.allowLoopback,
        ownPorts: ownPortsOf(config, role.metricsServer?.url ?? null),
        sandboxMerchantUrl: config.sandboxMerchantUrl,
        sandboxNames: sandboxNamesOf(config),
        log,
        metrics,
        signer: parts.signingKeys.signer,
        publicUrl: parts.settings.publicUrl,
        chatModel: chatModel?.means ?? null,
        dispatch: openDispatch(parts, {
          catalogs: opened.catalogs,
          onBug: (error) => log.error({ err: error }, 'a call by a worker failed on our side'),
        }),
      })
      const deps = { ...parts, log, metrics, faults }
      const relay = createRelay({ ...deps, followers: work.followers })
      const worker = createWorker({ ...deps, kinds: work.kinds, grouped: config.grouped })
      const sweeper = createSweeper({ ...deps, retention: config.retention, sweeps, holder: worker.id })
      relay.start()
      worker.start()
      sweeper.start()
      const trouble = watchTrouble({ pools: { read: parts.pools.survey }, log }, worker.id)
      const { everySeconds, file } = config.auditHeads
      const heads = exportHeads({
        pools: parts.pools,
        log,
        sink: file === null ? null : headFile(file),
        everySeconds,
        isMyTurn: () => isOldestWorker(parts.pools, worker.id),
        now: async () => parts.clock.now(),
      })
      const ready = { role: 'worker', metrics_url: role.metricsServer?.url ?? null, pid: process.pid }
      await runUntilStopped(ready, options.parentPipe ?? false, async () => {
        role.metricsServer?.stopping()
        // Before this worker is forgotten: it exports what its last minutes chained.
        await heads.stop()
        await Promise.all([worker.stop(), relay.stop(), trouble.stop(), sweeper.stop()])
        await work.close()
        await Promise.all([opened.close(), chatModel?.close(), readerModel?.close(), wallets?.close()])
        await parts.close()
      })
    })
}

/** What is bought at a page is paid with a card of the vault: without a vault, a browser is of no use. */
function browserOf({ browser: { isOn, doors }, vaultDoors }: Config) {
  return isOn && doors !== null && vaultDoors !== null ? createBrowserPort(doors) : null
}

/** Who is asked about pages where the rules are stuck. */
async function readerModelIn({ pageReader }: Config) {
  if (pageReader === null) return null
  const egress = egressTo(pageReader)
  return { model: await openReaderModel(pageReader, egress), close: () => egress.close() }
}

/**
 * The means that purchases run with. An operator that leaves purchases to other workers says so: a forgotten setting must not look like
 * that.
 */
function meansOf({
  runsPurchases,
  railUrl,
  sandboxUrl,
  stripe,
  liveRail,
  tokenIssuers,
  linkAccount,
}: Config): Pick<Config, 'railUrl' | 'sandboxUrl' | 'stripe' | 'liveRail' | 'tokenIssuers' | 'linkAccount'> {
  if (!runsPurchases)
    return {
      railUrl: null,
      sandboxUrl: null,
      stripe: {},
      liveRail: 'none',
      tokenIssuers: {},
      linkAccount: null,
    }
  // Shared tokens of live mode are charged without any other rail.
  if (stripe.live) return { railUrl, sandboxUrl, stripe, liveRail, tokenIssuers, linkAccount }
  // guard no-rail-no-worker: a worker whose rail was forgotten does not start as if it were meant so
  if (railUrl === null) {
    throw new CommandFailure(
      'This worker has no payment rail, so it cannot run purchases. Set PROKURA_RAIL_URL, or set PROKURA_RUN_PURCHASES=off to leave purchases to other workers.',
    )
  }
  return { railUrl, sandboxUrl, stripe, liveRail, tokenIssuers, linkAccount }
}

/** What answers chats, where a model does. */
async function chatModelIn({ chatModel }: Config) {
  if (chatModel === null) return null
  const egress = egressTo(chatModel)
  const { tokensPerRun, tokensPerDay, costPerDay, cost } = chatModel
  const limits = { tokensPerRun, tokensPerDay, costPerDay: (costPerDay ?? 0) * 1_000_000 }
  return {
    means: { model: await openChatModel(chatModel, egress), prices: cost, limits },
    close: () => egress.close(),
  }
}
