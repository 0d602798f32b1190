import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScriptedModel } from '../../../src/models/scripted-model.testing.ts'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import type { SuiteRun } from '../suite.ts'
import type { Service } from '../whole-product.ts'
import { wrongInAnswers } from './judge-threads.ts'
import { personAt } from './talk-once.ts'

const kills = { gate: 1, long: 20 }
/** Longer than a lease. */
const leaseSeconds = 45
const begun = 'Copper keeps warm. Clay keeps longer. Iron keeps longest.'
const rest = 'Which of them do you want?'

/** A worker dies while its model speaks: the answer goes on in another worker, and nobody reads anything twice. */
export async function checkBrokenAnswers({ size, tally }: SuiteRun, service: Service): Promise<void> {
  const crashFile = join(tmpdir(), `prokura-crash-${randomUUID()}`)
  const model = await startScriptedModel()
  // What is asked last decides what it says.
  await model.script([
    { when: '^Your answer broke off', say: rest },
    { when: '^Which teapot', say: begun },
  ])
  const answering = {
    PROKURA_CHAT_MODEL: 'openai-compatible/scripted',
    PROKURA_CHAT_URL: model.urlOf('plain'),
  }
  const dying = { ...answering, PROKURA_FAULTS: 'on', PROKURA_CRASH_FILE: crashFile }
  const person = personAt(service)
  try {
    let worker = await service.runRole('worker', dying)
    for (let kill = 0; kill < kills[size]; kill++) {
      const { chat } = await person.newChat()
      await writeFile(crashFile, `chat.said ${worker.ready.pid}\n`)
      const asked = await person.say(chat, 'Which teapot keeps tea warm?')
      await worker.ended
      await advanceTestClock(service.ready.database_url, leaseSeconds)
      // It answers what the last one has left, and dies in the next.
      worker = await service.runRole('worker', dying)
      const { parts } = await person.answerTo(chat, asked)
      const said = parts.map(({ text }: { text: string }) => text).join(' ')
      const wrong = await wrongInAnswers(service.ready.database_url, { chat, asked: [asked] })
      const isWhole = said.endsWith(rest) && said.split('Copper').length === 2
      for (const what of [...wrong, ...(isWhole ? [] : [`${chat} reads: ${said}`])]) tally.fail(what)
      if (isWhole && wrong.length === 0) tally.pass()
    }
    worker.kill('SIGTERM')
    await worker.ended
    tally.figure('broken-answers: kills while a model speaks', kills[size])
  } finally {
    await model.stop()
    await rm(crashFile, { force: true })
  }
}
