import { checkBrokenAnswers } from './chats/broken-answers.ts'
import { checkKills } from './chats/kills.ts'
import { checkReaders } from './chats/readers.ts'
import { publishTeapot } from './chats/talk-once.ts'
import { checkGeneralization, checkRestraint, checkUnderstanding } from './chats/understanding.ts'
import type { SuiteRun } from './suite.ts'
import { type Service, startService } from './whole-product.ts'

const ofWords: Readonly<Record<string, (run: SuiteRun) => Promise<void>>> = {
  understanding: checkUnderstanding,
  generalization: checkGeneralization,
  restraint: checkRestraint,
}

/** Each begins without a worker, and leaves none. */
const ofService: Readonly<Record<string, (run: SuiteRun, service: Service) => Promise<void>>> = {
  'broken-answers': checkBrokenAnswers,
  kills: checkKills,
  readers: checkReaders,
}

/** Chats, part by part: what is read in messages, and what holds when workers die and connections break. */
export async function runChats(run: SuiteRun): Promise<void> {
  const { only, tally } = run
  const isAsked = ([name]: [string, unknown]) => only === null || only === name
  const [words, services] = [
    Object.entries(ofWords).filter(isAsked),
    Object.entries(ofService).filter(isAsked),
  ]
  if (words.length + services.length === 0) throw new Error(`there is no part ${only}`)
  for (const [, check] of words) await check(run)
  if (services.length === 0) return
  const service = await startService({ workers: 0, testClock: true, databaseUrl: null })
  try {
    await whileWorking(service, () => publishTeapot(service))
    for (const [, check] of services) await check(run, service)
    await whileWorking(service, () => service.audit(tally))
  } finally {
    await service.stop()
  }
}

async function whileWorking(service: Service, work: () => Promise<void>): Promise<void> {
  const worker = await service.runRole('worker')
  await work()
  worker.kill('SIGTERM')
  await worker.ended
}
