import { connect } from 'node:net'
import { patience } from '../gate/pace.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type Case, documentCases, framingCases, slowCases } from './bad-bytes/cases.ts'
import { nulCases } from './bad-bytes/nul-cases.ts'
import { person } from './fixtures.ts'
import { attackMemory } from './memory-attacks.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** The bytes that came back on a connection until it closed or fell silent. */
type Heard = { text: string; closed: boolean; ms: number }

const silentMs = 700
const repeats = { gate: 40, long: 2000 } as const
const heapGrowthMax = 48 * 1024 * 1024

/** Bytes that no well-behaved client sends. They are refused in the documented shape or cut off, and other clients notice nothing. */
export async function runBadBytes(run: SuiteRun): Promise<void> {
  const { server, size, tally } = run
  const app = await startTestApp({ server })
  const wrong = [...documentCases(app), ...framingCases(app)]
  const slow = slowCases(app)
  const nuls = nulCases(app)
  async function judge(each: Case): Promise<void> {
    const fault = faultOf(each, await speak(app.url, each))
    if (fault === null) tally.pass()
    else tally.fail(`${each.name}: ${fault}`)
  }
  // They wait for most of a minute, while everything else goes on.
  const slowlyJudged = Promise.all(slow.map(judge))
  await Promise.all(wrong.map(judge))
  // One operation after the other: all of them at once, beside the others, would only measure the machine.
  await eachOf(nuls, 8, judge)
  await isAlive(app, tally)
  await isFlat(app, wrong, repeats[size], tally)
  await attackMemory(app, run)
  await slowlyJudged
  await isAlive(app, tally)
  const created = await app.get('/v1/profiles')
  if (created.body.total === 2) tally.pass()
  else tally.fail(`smuggled: ${created.body.total} profiles exist, two were created`)
  tally.figure('cases', wrong.length + slow.length + nuls.length)
  await app.stop()
}

/** Writes the bytes, and listens until the other side closes or has said something and falls silent. */
function speak(url: string, { bytes, listenMs = 8000 }: Case): Promise<Heard> {
  const { hostname, port } = new URL(url)
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    let silence: NodeJS.Timeout | undefined
    function end(closed: boolean): void {
      clearTimeout(limit)
      clearTimeout(silence)
      socket.destroy()
      resolve({ text, closed, ms: performance.now() - startedMs })
    }
    const wait = patience(listenMs)
    // The machine is measured once the time is up: a measure for each of many requests at once would hold up their answers.
    function giveUp(): void {
      if (wait.isOver()) end(false)
      else limit = setTimeout(giveUp, silentMs)
    }
    let limit = setTimeout(giveUp, listenMs)
    socket.setEncoding('latin1')
    socket.on('data', (data) => {
      text += data
      clearTimeout(silence)
      silence = setTimeout(() => end(false), silentMs)
    })
    socket.on('close', () => end(true))
    // A reset by the other side while we still write is one kind of refusal; `close` follows.
    socket.on('error', () => undefined)
    void write(bytes, (piece) => {
      socket.write(piece)
      return socket.writable
    })
  })
}

async function write(bytes: Case['bytes'], send: (piece: string | Buffer) => boolean): Promise<void> {
  for (const piece of bytes) {
    if (typeof piece === 'number') await new Promise((resolve) => setTimeout(resolve, piece).unref())
    else if (!send(piece)) return
  }
}

function faultOf(
  { statuses, code, answersMax = 1, listenMs }: Case,
  { text, closed, ms }: Heard,
): string | null {
  const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  if (answers.length === 0)
    return closed ? null : `no answer and an open connection after ${Math.round(ms)} ms`
  if (answers.length > answersMax) return `${answers.length} answers: ${answers.join()}`
  const [status = 0] = answers
  if (!statuses.includes(status)) return `answered ${text.slice(0, 300)}`
  if (listenMs !== undefined && !closed) return 'the connection stays open'
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  // Node itself answers bytes that are no HTTP, without a body, and closes.
  const isBare = body === '' || body === '0\r\n\r\n'
  if (isBare && closed && (status === 408 || status === 400)) return null
  if (!body.includes('"detail"')) return `not in the documented shape: ${text.slice(0, 300)}`
  if (!/\r\nrequest-id: req_/i.test(text)) return 'without a Request-Id'
  return code === undefined || body.includes(`"${code}"`) ? null : `without ${code}: ${body.slice(0, 200)}`
}

async function isAlive(app: TestApp, tally: SuiteRun['tally']): Promise<void> {
  const { status } = await app.post('/v1/profiles', person)
  if (status === 201) tally.pass()
  else tally.fail(`the server is not well afterwards: ${status}`)
}

/** The same many times more: refused requests leave nothing behind in memory. */
async function isFlat(app: TestApp, cases: Case[], rounds: number, tally: SuiteRun['tally']): Promise<void> {
  const quick = cases.filter(({ bytes }) => bytes.every((piece) => typeof piece !== 'number')).slice(0, 60)
  const round = (cases: Case[]) => Promise.all(cases.map((each) => speak(app.url, each)))
  await round(quick)
  const before = heapUsed()
  for (let done = 0; done < rounds; done += 10) await round(quick.slice(done % 50, (done % 50) + 10))
  const grown = heapUsed() - before
  tally.figure('heap growth', `${Math.round(grown / 1024)} KiB`)
  if (grown < heapGrowthMax) tally.pass()
  else tally.fail(`the heap grew by ${Math.round(grown / 1024 / 1024)} MiB`)
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
