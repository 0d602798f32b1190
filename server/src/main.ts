import { useCompileCache } from './cli/compile-cache.ts'
import { CommandFailure } from './cli/failure.ts'
import { createProgram } from './cli/program.ts'
import { Problem } from './contract/problem.ts'
import { ConfigError } from './platform/config/config.ts'

// A reader that has seen enough, such as head, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

const lingerMs = 250

useCompileCache()
try {
  await (await createProgram(process.argv[2])).parseAsync()
} catch (error) {
  const isForPeople =
    error instanceof CommandFailure || error instanceof ConfigError || error instanceof Problem
  process.stderr.write(`prokura: ${isForPeople ? error.message : describeBug(error)}\n`)
  process.exitCode = 1
  // What a failure left open, a connection or a look-up of a name, keeps nobody waiting.
  setTimeout(() => process.exit(), lingerMs).unref()
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
