import type { Command } from 'commander'
import { maintenanceTasks } from '../../composition.ts'
import { createClock, createTestClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { openPools } from '../../platform/database/pool.ts'
import { silentLog } from '../../platform/logs/logs.ts'
import {
  type MaintenanceTask,
  runMaintenance,
  type TaskReport,
} from '../../platform/maintenance/maintenance.ts'
import { abortOnSignals } from '../copy-progress.ts'
import { CommandFailure } from '../failure.ts'
import { checkDatabase, inWords } from '../operator/database-trouble.ts'
import { ownedDatabase, roleConfig } from '../role-config.ts'
import { note, out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean; list?: boolean }

export function defineMaintain(command: Command): void {
  command
    .argument('[task...]', 'the tasks to run (default: all)')
    .option('--list', 'only list the tasks, and run none')
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(maintain)
}

async function maintain(names: string[], options: Options): Promise<void> {
  const tasks = named(names)
  if (options.list) return list(tasks, options)
  const reports = await maintainDatabase(roleConfig(options.state), {
    tasks,
    signal: abortOnSignals(),
    onProgress: ({ name }, deleted) => {
      if (!options.json && deleted > 0) note(`${name}: ${deleted} removed`)
    },
  })
  const failed = reports.filter(({ error }) => error !== null)
  if (options.json) outJson({ ok: failed.length === 0, tasks: reports })
  else for (const report of reports) out(described(report))
  if (failed.length > 0) throw new CommandFailure(`${failed.map(({ name }) => name).join(', ')} failed.`)
}

function named(names: readonly string[]): MaintenanceTask[] {
  const unknown = names.filter((name) => !maintenanceTasks.some((task) => task.name === name))
  if (unknown.length > 0) {
    throw new CommandFailure(
      `There is no task ${unknown.join(', ')}. \`prokura maintain --list\` shows all tasks.`,
    )
  }
  return maintenanceTasks.filter(({ name }) => names.length === 0 || names.includes(name))
}

function list(tasks: readonly MaintenanceTask[], { json }: Options): void {
  if (json) outJson({ tasks: tasks.map(({ name, removes }) => ({ name, removes })) })
  else for (const { name, removes } of tasks) out(`${styled('bold', name)}  ${removes}`)
}

function described({ name, deleted, ms, error }: TaskReport): string {
  if (error !== null) return styled('red', `${name}: failed after ${deleted} rows: ${error}`)
  return `${name}: ${deleted === 0 ? 'nothing to remove' : `${deleted} removed`} (${ms} ms)`
}

type MaintainOptions = {
  tasks?: readonly MaintenanceTask[]
  signal: AbortSignal
  onProgress?: (task: MaintenanceTask, deleted: number) => void
}

/** One run over the database of this configuration, as its owner. */
export async function maintainDatabase(
  config: Config,
  { tasks = maintenanceTasks, signal, onProgress = () => undefined }: MaintainOptions,
): Promise<TaskReport[]> {
  const named = ownedDatabase(config)
  const { isPooled } = await checkDatabase(named)
  const pools = openPools({
    url: named.url,
    isPooled,
    writers: 1,
    readers: 1,
    applicationName: 'prokura maintain',
    onError: () => undefined, // the statement under way fails with it
  })
  try {
    const clock = config.testClock ? createTestClock(pools) : await createClock(pools)
    try {
      return await runMaintenance(tasks, {
        pools,
        clock,
        log: silentLog(),
        retention: config.retention,
        signal,
        onProgress,
      })
    } finally {
      clock.close()
    }
  } catch (error) {
    throw inWords(error, named)
  } finally {
    await pools.close()
  }
}
