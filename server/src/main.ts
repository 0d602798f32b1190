import { Command } from 'commander'
import { addAccountsCommand } from './cli/accounts.ts'
import { addApiCommand } from './cli/api.ts'
import { addAuditCommand } from './cli/audit.ts'
import { addClockCommand } from './cli/clock.ts'
import { addConfigCommand } from './cli/config.ts'
import { addCrashPointsCommand } from './cli/crash-points.ts'
import { addDemoCommand } from './cli/demo.ts'
import { CommandFailure } from './cli/failure.ts'
import { addKeysCommand } from './cli/keys.ts'
import { addMigrateCommand } from './cli/migrate.ts'
import { addOpenApiCommand } from './cli/openapi-command.ts'
import { addSandboxCommand } from './cli/sandbox.ts'
import { addStatusCommand } from './cli/status.ts'
import { addUpCommand } from './cli/up.ts'
import { addWorkerCommand } from './cli/worker.ts'
import { Problem } from './contract/problem.ts'
import { ConfigError } from './platform/config/config.ts'

const program = new Command('prokura')
  .description(
    'The power to buy on someone’s behalf: given by them, limited by them, and provable afterwards.',
  )
  .showHelpAfterError('Add --help to see what it takes.')

for (const add of [
  addUpCommand,
  addDemoCommand,
  addApiCommand,
  addWorkerCommand,
  addSandboxCommand,
  addMigrateCommand,
  addAccountsCommand,
  addKeysCommand,
  addStatusCommand,
  addAuditCommand,
  addConfigCommand,
  addCrashPointsCommand,
  addClockCommand,
  addOpenApiCommand,
]) {
  add(program)
}

try {
  await program.parseAsync()
} catch (error) {
  const isForPeople =
    error instanceof CommandFailure || error instanceof ConfigError || error instanceof Problem
  process.stderr.write(`prokura: ${isForPeople ? error.message : describeBug(error)}\n`)
  process.exitCode = 1
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
