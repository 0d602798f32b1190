import { describeEnd } from '../../src/cli/describe-end.ts'
import { askedBy, createProgram } from '../../src/cli/program.ts'
import type { Ended } from './as-user.ts'

/** Each as `src/main.ts` runs it, without a process of its own. */
async function run(args: readonly string[]): Promise<Ended> {
  const command = args.join(' ')
  try {
    await (await createProgram(askedBy(args))).parseAsync(args, { from: 'user' })
    return { command, code: Number(process.exitCode ?? 0), said: '' }
  } catch (error) {
    return { command, code: 1, said: describeEnd(error) }
  } finally {
    process.exitCode = 0
  }
}

const commands: string[][] = JSON.parse(process.argv[2] ?? '[]')
const ended: Ended[] = []
for (const args of commands) ended.push(await run(args))
process.send?.(ended, () => process.exit())
