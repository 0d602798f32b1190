import { useCompileCache } from './cli/compile-cache.ts'
import { describeEnd } from './cli/describe-end.ts'
import { askedBy, createProgram } from './cli/program.ts'
import { withoutCommands } from './cli/terminal.ts'

// A reader that has seen enough, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

const lingerMs = 250

useCompileCache()
try {
  await (await createProgram(askedBy(process.argv.slice(2)))).parseAsync()
} catch (error) {
  process.stderr.write(`prokura: ${withoutCommands(describeEnd(error))}\n`)
  process.exitCode = 1
  // A connection or a lookup that a failure left open must not keep the process from ending.
  setTimeout(() => process.exit(), lingerMs).unref()
}
