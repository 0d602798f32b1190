import {
  type Arena,
  answersOf,
  approveOf,
  cancelOf,
  codeOf,
  createMany,
  policyOf,
  type Racing,
  retryOf,
} from '../arena.ts'
import { memberOf, type Sent } from '../client.ts'
import { eachOf } from '../suite.ts'
import { newProfile } from '../whole-product.ts'

// No worker runs, so that nothing changes the result of each pair of requests before it is checked.

/** One of the two decides, and its decision stays. */
export async function raceDecline(arena: Arena): Promise<string[]> {
  const approved: string[] = []
  await eachOf(await createMany(arena, arena.rounds(20)), 4, async (id) => {
    const yes = approveOf(id)
    const no: Racing = { ...yes, body: { approve: false } }
    const isYesFirst = arena.random() < 0.5
    const answers = await arena.race(isYesFirst ? [yes, no] : [no, yes])
    const winner = answers.findIndex(({ status }) => status === 200)
    const expected = (winner === 0) === isYesFirst ? 'approved' : 'declined'
    const counts = answersOf(answers)
    const { status } = await arena.service.read(id)
    arena.expect(
      counts['200'] === 1 && counts['409 not_approvable'] === 1 && status === expected,
      () => `${id} is ${status} after ${JSON.stringify(counts)} to yes and no`,
    )
    if (status === 'approved') approved.push(id)
  })
  return approved
}

/** Approvals succeed before the freeze is answered, and none does afterwards. */
export async function raceFreeze(arena: Arena): Promise<string[]> {
  const approved: string[] = []
  for (let round = 0; round < arena.rounds(10); round++) {
    const profile = await newProfile(arena.service)
    const ids = await createMany(arena, 3, profile)
    const [late = ''] = await createMany(arena, 1, profile)
    const target = { type: 'profile', id: profile }
    const [freeze, ...answers] = await arena.race([
      { method: 'POST', path: '/v1/controls/freeze', body: { target } },
      ...ids.map((id) => approveOf(id)),
    ])
    const isSerial = answers.every((one) => one.status === 200 || codeOf(one) === 'frozen')
    arena.expect(
      freeze?.status === 200 && isSerial,
      () =>
        `a freeze was answered ${freeze?.status}, approvals beside it ${JSON.stringify(answersOf(answers))}`,
    )
    const [after] = await arena.race([approveOf(late)])
    arena.expect(after !== undefined && codeOf(after) === 'frozen', () => `after a freeze: ${after?.text}`)
    await arena.ask({ method: 'POST', path: '/v1/controls/unfreeze', body: { target } }, 200)
    approved.push(...ids.filter((_, index) => answers[index]?.status === 200))
  }
  return approved
}

/** An approval is judged by the limit before or by the limit after, and never by both or neither. */
export async function raceNarrowerPolicy(arena: Arena): Promise<string[]> {
  const approved: string[] = []
  for (let round = 0; round < arena.rounds(10); round++) {
    const profile = await newProfile(arena.service)
    const wide = policyOf(profile, { interval: 'all_time', max_amount: 3000 })
    const { id: policyId } = await arena.ask({ method: 'POST', path: '/v1/policies', body: wide }, 201)
    const [first = '', second = ''] = await createMany(arena, 2, profile, { max_amount: 1500 })
    const narrow = { limits: { intervals: [{ interval: 'all_time', max_amount: 500 }] } }
    const [change, answer] = await arena.race([
      { method: 'POST', path: `/v1/policies/${policyId}`, body: narrow },
      approveOf(first),
    ])
    const isApproved = answer?.status === 200
    arena.expect(
      change?.status === 200 &&
        answer !== undefined &&
        (isApproved || codeOf(answer) === 'policy_limit_exceeded'),
      () => `a policy was narrowed (${change?.status}) beside an approval: ${answer?.text}`,
    )
    const [after] = await arena.race([approveOf(second)])
    arena.expect(
      after !== undefined && codeOf(after) === 'policy_limit_exceeded',
      () => `under the narrower policy: ${after?.text}`,
    )
    if (isApproved) approved.push(first)
  }
  return approved
}

/** A card is deleted before or after the approval that names it; what was approved then fails without a charge. */
export async function raceDeletedCard(arena: Arena): Promise<string[]> {
  const approved: string[] = []
  for (let round = 0; round < arena.rounds(10); round++) {
    const profile = await newProfile(arena.service)
    const [id = ''] = await createMany(arena, 1, profile)
    const methods = `/v1/profiles/${profile}/payment_methods`
    const card = idsOf(await arena.ask({ method: 'GET', path: methods }, 200))[0]
    const [answer, deleted] = await arena.race([
      approveOf(id),
      { method: 'DELETE', path: `${methods}/${card}` },
    ])
    const isApproved = answer?.status === 200
    arena.expect(
      deleted?.status === 200 &&
        answer !== undefined &&
        (isApproved || codeOf(answer) === 'payment_method_required'),
      () => `a card was deleted (${deleted?.status}) beside an approval: ${answer?.text}`,
    )
    if (isApproved) approved.push(id)
  }
  return approved
}

/** Once a profile is archived, no purchase is made for it, and earlier ones are not released. */
export async function raceArchivedProfile(arena: Arena): Promise<undefined> {
  for (let round = 0; round < arena.rounds(10); round++) {
    const profile = await newProfile(arena.service)
    const items = [
      { url: 'https://shop.example/thing', quantity: 1, expected_amount: 1000, expected_currency: 'USD' },
    ]
    const create: Racing = {
      method: 'POST',
      path: '/v1/purchase_intents',
      body: { profile_id: profile, items },
    }
    const [archived, ...answers] = await arena.race([
      { method: 'POST', path: `/v1/profiles/${profile}/archive` },
      create,
      create,
    ])
    const isSerial = answers.every((one) => one.status === 201 || codeOf(one) === 'profile_not_active')
    arena.expect(
      archived?.status === 200 && isSerial,
      () => `a profile was archived (${archived?.status}) beside ${JSON.stringify(answersOf(answers))}`,
    )
    const made = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => String(memberOf(body, 'id')))
    const after = await arena.race([create, ...made.map((id) => approveOf(id))])
    arena.expect(
      after.every((one) => codeOf(one) === 'profile_not_active'),
      () => `for an archived profile: ${JSON.stringify(answersOf(after))}`,
    )
  }
  return undefined
}

/** Three wrong passwords end an enrolment, however many are tried at once; of right ones, one completes it. */
export async function racePasswords(arena: Arena): Promise<undefined> {
  for (let round = 0; round < arena.rounds(10); round++) {
    const isRight = round % 2 === 0
    const profile = await newProfile(arena.service, undefined, 'visa_otp_required')
    const methods = `/v1/profiles/${profile}/payment_methods`
    const card = idsOf(await arena.ask({ method: 'GET', path: methods }, 200))[0]
    const body = { method: 'otp', code: isRight ? '123456' : '000000' }
    const tries = Array.from({ length: 6 }, () => ({
      method: 'POST',
      path: `${methods}/${card}/verify`,
      body,
    }))
    const counts = answersOf(await arena.race(tries))
    const taken = isRight ? counts['200'] : counts['409 verification_failed']
    const expected = isRight ? 1 : 3
    arena.expect(
      taken === expected && counts['409 enrollment_not_pending'] === tries.length - expected,
      () => `six ${isRight ? 'right' : 'wrong'} passwords at once: ${JSON.stringify(counts)}`,
    )
  }
  return undefined
}

/** A failed purchase cannot be cancelled, and one that is tried again can. */
export async function raceRetryCancel(arena: Arena, ids: readonly string[]): Promise<undefined> {
  await eachOf(ids, 4, async (id) => {
    const [retry, cancel] = await arena.race([retryOf(id), cancelOf(id)])
    const { status } = await arena.service.read(id)
    const isCancelled = cancel?.status === 200
    const isSerial = isCancelled || (cancel !== undefined && codeOf(cancel) === 'not_cancellable')
    arena.expect(
      retry?.status === 200 && isSerial && status === (isCancelled ? 'cancelled' : 'approved'),
      () => `${id} is ${status} after a retry (${told(retry)}) and a cancel (${told(cancel)})`,
    )
  })
  return undefined
}

function idsOf(list: Record<string, unknown>): unknown[] {
  return Array.isArray(list.data) ? list.data.map((one: unknown) => memberOf(one, 'id')) : []
}

function told(sent: Sent | undefined): string {
  return sent === undefined ? 'nothing' : `${sent.status} ${codeOf(sent) ?? ''}`
}
