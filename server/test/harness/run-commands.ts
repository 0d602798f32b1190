import { describeEnd } from '../../src/cli/describe-end.ts'
import { askedBy, createProgram } from '../../src/cli/program.ts'
import { withoutCommands } from '../../src/cli/terminal.ts'

/** Thrown where a command ends its process, such as for arguments that it does not know: here it ends the command alone. */
class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}
const { exit } = process
process.exit = (code) => {
  throw new Exit(Number(code ?? process.exitCode ?? 0))
}

/** Each as `src/main.ts` runs it, without a process of its own. */
async function run(args: readonly string[]): Promise<number> {
  try {
    await (await createProgram(askedBy(args))).parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof Exit) return error.code
    process.stderr.write(`prokura: ${withoutCommands(describeEnd(error))}\n`)
    return 1
  } finally {
    process.exitCode = 0
  }
}

let said = { out: '', err: '' }
function keep(stream: NodeJS.WriteStream, part: 'out' | 'err'): void {
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    said[part] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const written = more.find((one) => typeof one === 'function')
    if (written) queueMicrotask(() => written(null))
    return true
  }
}
keep(process.stdout, 'out')
keep(process.stderr, 'err')

process.on('message', ({ args, env }: { args: string[]; env: NodeJS.ProcessEnv }) => {
  said = { out: '', err: '' }
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  void run(args).then((code) => process.send?.({ code, ...said }))
})
process.once('disconnect', () => exit())
