import { parseArgs } from 'node:util'
import { failureLines } from './gate/failures.ts'
import { fits } from './gate/fits.ts'
import { keepTemporaryFilesInMemory } from './gate/memory-folder.ts'
import { createProgress, type Outcome, type Progress } from './gate/progress.ts'
import { endCommands } from './gate/run-command.ts'
import { type Step, steps } from './gate/steps.ts'

async function main(): Promise<void> {
  const options = readOptions()
  if (options === undefined) return
  keepTemporaryFilesInMemory()

  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      endCommands()
      process.exitCode = exitCode
      process.stderr.write(`\nstopped by ${signal}\n`)
    })
  }

  const outcomes = await runSteps(options.chosen, createProgress({ quiet: options.json }))
  const passed = sum(outcomes.map((outcome) => outcome.passed))
  const failed = sum(outcomes.map((outcome) => outcome.failed))
  if (failed > 0 && process.exitCode === undefined) process.exitCode = 1
  if (options.json) console.log(JSON.stringify({ passed, failed, steps: outcomes.map(forReport) }, null, 2))
  else
    console.log([...whatFailed(outcomes), cpuLine(outcomes), `${passed} passed, ${failed} failed`].join('\n'))
}

function cpuLine(outcomes: readonly Outcome[]): string {
  const minutes = (seconds: number[]) => `${(sum(seconds) / 60).toFixed(1)} min`
  const user = minutes(outcomes.map(({ cpu }) => cpu.user))
  const system = minutes(outcomes.map(({ cpu }) => cpu.system))
  return `in ${minutes([performance.now() / 1000])}, with ${user} of computing and ${system} of the system`
}

/** Once more at the end, for who reads only that. */
function whatFailed(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ failed }) => failed > 0)
    .flatMap(({ name, output }) => [`\n${name} failed:`, ...failureLines(output)])
}

function readOptions(): { chosen: Step[]; json: boolean } | undefined {
  const { only, help, json } = parseOptions()
  if (help) {
    console.log(usage())
    return undefined
  }
  const names = only?.split(',').map((name) => name.trim())
  const unknown =
    names?.filter((name) => name !== 'suites' && !steps.some((step) => step.name === name)) ?? []
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}.\n\n${usage()}`)
    process.exitCode = 2
    return undefined
  }
  const chosen = steps.filter(({ name, group, onlyByName }) =>
    names === undefined
      ? !onlyByName
      : names.includes(name) || (group === 'suites' && names.includes('suites')),
  )
  return { chosen, json }
}

function parseOptions(): { only: string | undefined; help: boolean; json: boolean } {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    })
    return { only: values.only, help: values.help ?? false, json: values.json ?? false }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage()}`)
    process.exit(2)
  }
}

function usage(): string {
  return [
    'Usage: npm test [-- --only a,b] [-- --json]',
    '',
    'Runs every check, test and suite. The last line is "N passed, N failed".',
    '',
    '  --only a,b   run only these steps',
    '  --json       print one JSON object instead of progress',
    '',
    'Steps:',
    ...steps.map(
      ({ name, about, onlyByName }) =>
        `  ${name.padEnd(16)} ${about}${onlyByName ? ' (runs only if --only names it)' : ''}`,
    ),
    '  suites           every suite',
  ].join('\n')
}

/** In order, each as soon as the cores that it keeps busy are free. A failure stops nothing: one run tells everything. */
async function runSteps(chosen: readonly Step[], progress: Progress): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...chosen]
  const running = new Map<Step, Promise<void>>()
  while (process.exitCode === undefined && waiting.length + running.size > 0) {
    const next = waiting.find((step) => fits(step, [...running.keys()]))
    if (next === undefined) {
      await Promise.race(running.values())
      continue
    }
    waiting.splice(waiting.indexOf(next), 1)
    const run = runStep(next, progress).then((outcome) => {
      outcomes.push(outcome)
      running.delete(next)
    })
    running.set(next, run)
  }
  await Promise.all(running.values())
  progress.close()
  return outcomes
}

async function runStep(step: Step, progress: Progress): Promise<Outcome> {
  const startedMs = performance.now()
  progress.started(step.name)
  const { exitCode: _, ...result } = await step.run((line) => progress.line(step.name, line))
  const ms = Math.round(performance.now() - startedMs)
  const outcome = { name: step.name, ...result, ms }
  progress.finished(outcome)
  return outcome
}

/** The output of what went well is noise in a report. */
function forReport({ output, ...outcome }: Outcome): Omit<Outcome, 'output'> & { output?: string } {
  return outcome.failed > 0 ? { ...outcome, output } : outcome
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

await main()
