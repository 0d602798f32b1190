import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { understand } from '../../../src/domain/chats/planner/reading/understand.ts'
import type { Spoken } from '../../../src/domain/chats/planner/understood.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import { canonical, judge, type Reading, type Utterance, type Verdict } from './judge.ts'

const teller = fileURLToPath(new URL('../../../../sandbox/src/chats/print-utterances.ts', import.meta.url))
/** Of each language. */
const leastRight = 0.95
const first: Spoken = { language: null, shown: [], asked: null, hasSubject: false, hasPurchase: false }
const shown = ['Bosch TWK 3A01 blue', 'Philips HD9350 rot', 'ティファール 電気ケトル 白']

type Judged = Reading & { readonly verdict: Verdict }

/** What the planner reads in what people say is what they mean, and it never reads a purchase where nobody wants one. */
export async function checkUnderstanding({ tally }: SuiteRun): Promise<void> {
  const judged = readAll('known')
  report('understanding', judged, tally)
  for (const [kind, all = []] of groups(judged, 'kind')) tally.figure(kind, share(all))
  showMisses(judged)
  for (const [language, all = []] of groups(judged, 'language'))
    if (rateOf(all) < leastRight) tally.fail(`${language} is read right in only ${share(all)}`)
}

/**
 * The same with utterances that the authors of the grammar have not read. They are shown only to who asks for this part by its name:
 * what has been read no longer tells how well the grammar does with what it never saw.
 */
export async function checkGeneralization({ only, tally }: SuiteRun): Promise<void> {
  const judged = readAll('fresh')
  report('generalization', judged, tally)
  if (only !== null) showMisses(judged)
}

/** Places of a conversation in which words of buying are most tempting. */
const places: Readonly<Record<string, Partial<Spoken>>> = {
  'as the first message': {},
  'after products': { shown },
  'before a purchase': { shown, hasSubject: true, asked: 'whether' },
  'after a purchase': { shown, hasSubject: true, hasPurchase: true },
}

/** Who speaks of buying and does not want to buy is understood in some way that is no purchase, wherever it is said. */
export async function checkRestraint({ tally }: SuiteRun): Promise<void> {
  const said: Readonly<Record<string, readonly string[]>> = JSON.parse(tell('never-buying'))
  const readings = Object.values(said)
    .flat()
    .flatMap((says) =>
      Object.entries(places).map(([place, spoken]) => {
        const { wishes } = understand(says, { ...first, ...spoken })
        return { says, place, wishes, isBuy: wishes.some(({ action }) => action === 'buy') }
      }),
    )
  const buys = readings.filter(({ isBuy }) => isBuy)
  for (const { says, place, wishes } of buys)
    console.log(`bought ${place}: ${says}\n  read  ${canonical(wishes)}`)
  tally.figure('restraint: wrong buy', `${buys.length} of ${readings.length}`)
  tally.pass(readings.length - buys.length)
  if (readings.length === 0) tally.fail('restraint: the sandbox told no words of buying')
  if (buys.length > 0) tally.fail(`restraint: ${buys.length} of ${readings.length} were read as a purchase`)
}

/** The sandbox shares no code with what it watches: it is asked as a program. */
function tell(set: string): string {
  return execFileSync(process.execPath, [teller, set], { encoding: 'utf8' })
}

function readAll(set: string): readonly Judged[] {
  const utterances: readonly Utterance[] = JSON.parse(tell(set))
  if (utterances.length === 0) throw new Error('the sandbox told no utterance')
  return utterances.map((utterance) => {
    const { language, wishes } = understand(utterance.says, { ...first, ...utterance.spoken })
    const reading = { utterance, language, wishes }
    return { ...reading, verdict: judge(reading) }
  })
}

function report(part: string, judged: readonly Judged[], tally: Tally): void {
  const buys = judged.filter(({ verdict }) => verdict === 'buy').length
  tally.pass(judged.filter(({ verdict }) => verdict === 'right').length)
  if (buys > 0) tally.fail(`${part} reads a purchase in ${buys} of ${judged.length} where nobody wants one`)
  tally.figure(part, share(judged))
  tally.figure(`${part}: wrong buy`, buys)
  const languages = groups(judged, 'language').map(([language, all = []]) => `${language} ${share(all)}`)
  tally.figure(`${part}: languages`, languages.join(', '))
}

function showMisses(judged: readonly Judged[]): void {
  for (const miss of judged.filter(({ verdict }) => verdict !== 'right')) console.log(describe(miss))
}

function groups(judged: readonly Judged[], by: 'language' | 'kind') {
  return Object.entries(Object.groupBy(judged, ({ utterance }) => utterance[by]))
}

function rateOf(judged: readonly Judged[]): number {
  return judged.filter(({ verdict }) => verdict === 'right').length / judged.length
}

function share(judged: readonly Judged[]): string {
  return `${(rateOf(judged) * 100).toFixed(1)} % of ${judged.length}`
}

function describe({ utterance, language, wishes, verdict }: Judged): string {
  const { says, kind, spoken, readings } = utterance
  const { asked, hasSubject, hasPurchase, shown: seen = [] } = spoken ?? {}
  const scene = [
    seen.length > 0 && `${seen.length} shown`,
    asked && `asked ${asked}`,
    hasSubject && 'a subject',
    hasPurchase && 'a purchase',
  ]
  const meant = readings.map(canonical).join('\n     or ')
  return [
    `missed (${utterance.language}, ${kind}, ${verdict}) ${says}`,
    `  after ${scene.filter(Boolean).join(', ') || 'nothing'}`,
    `  meant ${meant}`,
    `  read  ${canonical(wishes)}${verdict === 'language' ? ` in ${language}` : ''}`,
  ].join('\n')
}
