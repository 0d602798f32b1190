import type { Command } from 'commander'
import type { Config } from '../platform/config/config.ts'
import { createRelay } from '../platform/events/relay.ts'
import { createSweeper } from '../platform/retention/sweeper.ts'
import { createWorker } from '../platform/work/worker.ts'
import { sweeps } from '../sweeps.ts'
import { openWork } from '../work.ts'
import { CommandFailure } from './failure.ts'
import { openRole, runUntilStopped } from './role.ts'
import { roleConfig } from './role-config.ts'
import { watchTrouble } from './watch-trouble.ts'

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description(
      'Run a worker process: it relays events and does due work. Any number of them can share one database.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join; without it the environment alone decides',
    )
    .option('--parent-pipe', 'stop when standard input closes')
    .action(async (options: { state?: string; parentPipe?: boolean }) => {
      const config = roleConfig(options.state)
      const { railUrl, sandboxUrl } = meansOf(config)
      const role = await openRole(
        'worker',
        config,
        config.publicUrl ?? `http://${config.host}:${config.port}`,
      )
      const { parts, log, metrics, faults } = role
      const work = openWork({
        railUrl,
        sandboxUrl,
        allowLoopback: config.allowLoopback,
        log,
        metrics,
      })
      const deps = { ...parts, log, metrics, faults }
      const relay = createRelay({ ...deps, followers: work.followers })
      const worker = createWorker({ ...deps, kinds: work.kinds })
      const sweeper = createSweeper({ ...deps, retention: config.retention, sweeps, holder: worker.id })
      relay.start()
      worker.start()
      sweeper.start()
      const trouble = watchTrouble({ pools: parts.pools, log }, worker.id)
      const ready = { role: 'worker', metrics_url: role.metricsServer?.url ?? null, pid: process.pid }
      await runUntilStopped(ready, options.parentPipe ?? false, async () => {
        role.metricsServer?.stopping()
        await Promise.all([worker.stop(), relay.stop(), trouble.stop(), sweeper.stop()])
        await work.close()
        await parts.close()
      })
    })
}

/** What purchases are run with. Whoever leaves them to others says so: a forgotten setting must not look like that. */
function meansOf({ runsPurchases, railUrl, sandboxUrl }: Config): Pick<Config, 'railUrl' | 'sandboxUrl'> {
  if (!runsPurchases) return { railUrl: null, sandboxUrl: null }
  if (railUrl === null) {
    throw new CommandFailure(
      'This worker is to run purchases and has no payment rail. Set PROKURA_RAIL_URL, or PROKURA_RUN_PURCHASES=off for a worker that leaves purchases to others.',
    )
  }
  return { railUrl, sandboxUrl }
}
