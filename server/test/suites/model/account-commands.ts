import fc from 'fast-check'
import { memberOf } from '../client.ts'
import { type Command, command, pick } from './commands.ts'
import {
  cardNames,
  type KeyName,
  keyNames,
  type Model,
  type ModelMethod,
  type ModelProfile,
} from './model.ts'
import { refusals } from './predict-create.ts'
import { address, bodyOf, cardBody, expectAnswer, type Real } from './real.ts'

const created = { status: 201, code: null }
const done = { status: 200, code: null }

type Frozen = { type: 'account' } | { type: 'profile'; profile: number } | { type: 'key'; key: KeyName }

const freeze = fc
  .record({
    on: fc.constantFrom(true, false, false),
    by: fc.constantFrom<KeyName>('person', 'person', 'person', 'person', 'agent'),
    target: fc.constantFrom<Frozen>(
      { type: 'account' },
      { type: 'profile', profile: 0 },
      { type: 'profile', profile: 1 },
      { type: 'key', key: 'agent' },
      { type: 'key', key: 'person' },
    ),
  })
  .map(({ on, by, target }) =>
    command(
      `${on ? 'freeze' : 'unfreeze'} ${JSON.stringify(target)} by ${by}`,
      async (model, real) => {
        const sent = await real.send({
          path: `/v1/controls/${on ? 'freeze' : 'unfreeze'}`,
          key: real.keys[by].token,
          body: { target: targetOf(model, real, target) },
        })
        if (by !== 'person') return expectAnswer(sent, refusals.scope)
        expectAnswer(sent, done)
        setFrozen(model, target, on)
        expectControl(model, real, sent.body)
      },
      (model) => on !== isFrozen(model, target) || (on && by === 'agent'),
    ),
  )

function targetOf(model: Model, real: Real, target: Frozen): object {
  if (target.type === 'account') return { type: 'account' }
  const id = target.type === 'key' ? real.keys[target.key].id : model.profiles[target.profile]?.id
  return { type: target.type, id }
}

function isFrozen(model: Readonly<Model>, target: Frozen): boolean {
  if (target.type === 'account') return model.isFrozen
  return target.type === 'key' ? model.frozenKeys.has(target.key) : model.frozenProfiles.has(target.profile)
}

function setFrozen(model: Model, target: Frozen, on: boolean): void {
  if (target.type === 'account') model.isFrozen = on
  else if (target.type === 'key') toggle(model.frozenKeys, target.key, on)
  else toggle(model.frozenProfiles, target.profile, on)
}

function toggle<T>(all: Set<T>, one: T, on: boolean): void {
  if (on) all.add(one)
  else all.delete(one)
}

function expectControl(model: Model, real: Real, body: unknown): void {
  const list = (name: string) => [...(memberOf(body, name) as string[])].sort().join() // as the contract shows a control
  const foretold = [
    model.isFrozen,
    [...model.frozenProfiles]
      .map((at) => model.profiles[at]?.id)
      .sort()
      .join(),
    [...model.frozenKeys]
      .map((name) => real.keys[name].agentId)
      .sort()
      .join(),
  ]
  const given = [memberOf(body, 'frozen'), list('profiles'), list('keys')]
  if (JSON.stringify(given) !== JSON.stringify(foretold))
    throw new Error(`the freeze is ${JSON.stringify(given)}, foretold ${JSON.stringify(foretold)}`)
}

/** Lifts every freeze, as a run does at its end. */
export async function thaw(model: Model, real: Real): Promise<void> {
  const targets: Frozen[] = [
    ...(model.isFrozen ? [{ type: 'account' } as const] : []),
    ...[...model.frozenProfiles].map((profile) => ({ type: 'profile', profile }) as const),
    ...[...model.frozenKeys].map((key) => ({ type: 'key', key }) as const),
  ]
  for (const target of targets) {
    const body = { target: targetOf(model, real, target) }
    expectAnswer(await real.send({ path: '/v1/controls/unfreeze', key: real.keys.person.token, body }), done)
    setFrozen(model, target, false)
  }
}

const archive = fc.constantFrom(1, 1, 1, 1, 1, 1, 0).map((at) =>
  command(
    `archive profile ${at}`,
    async (model, real) => {
      const profile = profileOf(model, at)
      const path = `/v1/profiles/${profile.id}/archive`
      expectAnswer(await real.send({ path, key: real.keys.person.token, body: {} }), done)
      profile.isArchived = true
    },
    // Not early: most steps of a purchase need a profile that may buy.
    ({ intents }) => intents.length > 5,
  ),
)

const addAddress = fc.constant(2).map((at) =>
  command(
    `address of profile ${at}`,
    async (model, real) => {
      const profile = profileOf(model, at)
      const path = `/v1/profiles/${profile.id}/addresses`
      const sent = await real.send({ path, key: real.keys.person.token, body: address })
      if (profile.isArchived) return expectAnswer(sent, refusals.conflict('profile_archived'))
      expectAnswer(sent, created)
      profile.hasAddress = true
    },
    // Not before a purchase waits for it.
    ({ intents, profiles }) =>
      profiles[at]?.hasAddress === false && intents.some(({ awaitsAddress }) => awaitsAddress),
  ),
)

const addMethod = fc
  .record({
    at: fc.constantFrom(0, 0, 1),
    card: fc.constantFrom(...cardNames),
    isDefault: fc.boolean(),
    by: fc.constantFrom<KeyName>('person', 'person', 'person', 'person', 'agent'),
  })
  .map(({ at, card, isDefault, by }) =>
    command(
      `add ${card} to profile ${at}${isDefault ? ' as default' : ''} by ${by}`,
      async (model, real) => {
        const profile = profileOf(model, at)
        const path = `/v1/profiles/${profile.id}/payment_methods`
        const sent = await real.send({ path, key: real.keys[by].token, body: cardBody(card, isDefault) })
        if (by === 'agent') return expectAnswer(sent, refusals.scope)
        if (profile.isArchived) return expectAnswer(sent, refusals.conflict('profile_archived'))
        expectAnswer(sent, created)
        const live = profile.methods.filter(({ isDeleted }) => !isDeleted)
        const becomesDefault = isDefault || live.length === 0
        if (becomesDefault) for (const method of live) method.isDefault = false
        const method: ModelMethod = {
          id: String(memberOf(sent.body, 'id')),
          card,
          isDefault: becomesDefault,
          isDeleted: false,
          enrolment: card.includes('ineligible')
            ? 'ineligible'
            : card.includes('otp')
              ? 'pending_verification'
              : 'active',
          refusedCodes: 0,
        }
        profile.methods.push(method)
        expectMethod(method, sent.body)
      },
      ({ profiles }) => (profiles[at]?.methods.length ?? 0) < 6,
    ),
  )

const verify = fc.record({ index: fc.nat(100), isRight: fc.boolean() }).map(({ index, isRight }) =>
  command(
    `verify ${index} ${isRight ? 'rightly' : 'wrongly'}`,
    async (model, real) => {
      const found = methodAt(model, index, ({ enrolment }) => enrolment === 'pending_verification')
      if (!found) return
      const { profile, method } = found
      const sent = await real.send({
        path: `/v1/profiles/${profile.id}/payment_methods/${method.id}/verify`,
        key: real.keys.person.token,
        body: { method: 'otp', code: isRight ? '123456' : '999999' },
      })
      if (method.isDeleted) return expectAnswer(sent, refusals.notFound)
      if (method.enrolment !== 'pending_verification')
        return expectAnswer(sent, refusals.conflict('enrollment_not_pending'))
      if (isRight && method.card !== 'visa_otp_invalid') {
        method.enrolment = 'active'
        method.refusedCodes = 0
        expectAnswer(sent, done)
        return expectMethod(method, sent.body)
      }
      method.refusedCodes += 1
      if (method.refusedCodes >= 3) method.enrolment = 'rejected'
      expectAnswer(sent, refusals.conflict('verification_failed'))
    },
    hasMethods,
  ),
)

const remove = fc.nat(100).map((index) =>
  command(
    `delete method ${index}`,
    async (model, real) => {
      const found = methodAt(model, index, ({ isDefault }) => !isDefault)
      if (!found) return
      const { profile, method } = found
      const path = `/v1/profiles/${profile.id}/payment_methods/${method.id}`
      const sent = await real.send({ method: 'DELETE', path, key: real.keys.person.token })
      if (method.isDeleted) return expectAnswer(sent, refusals.notFound)
      expectAnswer(sent, done)
      method.isDeleted = true
      method.isDefault = false
    },
    hasMethods,
  ),
)

function hasMethods({ profiles }: Readonly<Model>): boolean {
  return profiles.some(({ methods }) => methods.length > 1)
}

function methodAt(model: Model, index: number, isPreferred: (method: ModelMethod) => boolean) {
  const all = model.profiles.flatMap((profile) => profile.methods.map((method) => ({ profile, method })))
  return pick(all, index, ({ method }) => isPreferred(method) && !method.isDeleted)
}

function profileOf(model: Model, at: number): ModelProfile {
  const profile = model.profiles[at]
  if (!profile) throw new Error('the model has no such profile')
  return profile
}

function expectMethod({ enrolment, isDefault }: ModelMethod, body: unknown): void {
  const given = [memberOf(memberOf(body, 'card'), 'agentic_credentials_status'), memberOf(body, 'is_default')]
  if (given.join() !== [enrolment, isDefault].join())
    throw new Error(`a card is ${given.join()}, foretold ${enrolment},${isDefault}`)
}

/** An unknown purchase is unknown to every key, and a key that may read may read. */
const probe = fc.constantFrom(...keyNames).map((name) =>
  command(`probe by ${name}`, async (_model, real) => {
    const path = '/v1/purchase_intents/pi_01jb2w9m4ye6xs3kq8t7v5c0zd'
    expectAnswer(await real.send({ method: 'GET', path, key: real.keys[name].token }), refusals.notFound)
    const key = real.keys[name].token
    const page = bodyOf(await real.send({ method: 'GET', path: '/v1/purchase_intents?limit=1', key }), [200])
    if (page.total !== _model.intents.length)
      throw new Error(`${page.total} purchases are listed, foretold ${_model.intents.length}`)
  }),
)

export const accountArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 2, arbitrary: freeze },
  { weight: 1, arbitrary: archive },
  { weight: 2, arbitrary: addMethod },
  { weight: 5, arbitrary: addAddress },
  { weight: 1, arbitrary: verify },
  { weight: 1, arbitrary: remove },
  { weight: 1, arbitrary: probe },
]
