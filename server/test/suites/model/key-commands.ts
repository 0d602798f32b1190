import fc from 'fast-check'
import { type Command, command, decide, pick } from './commands.ts'
import { hour, type KeyName, keyNames, type Model, type OldSecret } from './model.ts'
import { type Answer, refusal } from './predict-create.ts'
import { predictCancel } from './predict-decisions.ts'
import { predictRetry } from './predict-retry.ts'
import { expectAnswer, type Real } from './real.ts'

const unauthorized = refusal(401, 'unauthorized')

/** The operator gives an agent a new secret. Policies and freezes name the agent, so nothing else changes. */
const roll = fc
  .record({
    name: fc.constantFrom<KeyName>('person', 'agent', 'agent', 'reader'),
    hours: fc.constantFrom(0, 0, 1, 24),
  })
  .map(({ name, hours }) =>
    command(`roll ${name} with ${hours} h`, async (model, real) => {
      const old = real.keys[name]
      const made = await real.lane.rollKey(real.account, old.id, hours * hour)
      if (made.id === old.id || made.token === old.token) throw new Error(`a roll of ${name} made no new key`)
      if (made.agentId !== old.agentId) throw new Error(`a roll of ${name} made another agent`)
      real.keys[name] = made
      model.oldSecrets.push({ name, token: old.token, until: model.now + hours * hour })
      await expectAccess(model, real, { name, token: old.token, until: model.now + hours * hour })
    }),
  )

async function expectAccess(model: Model, real: Real, secret: OldSecret): Promise<void> {
  const path = '/v1/purchase_intents?limit=1'
  const sent = await real.send({ method: 'GET', path, key: secret.token })
  expectAnswer(sent, isLive(model, secret) ? { status: 200, code: null } : unauthorized)
}

function isLive({ now }: Model, { until }: OldSecret): boolean {
  return now < until
}

/** A client uses a secret from before a roll. */
const comeBack = fc
  .record({ index: fc.nat(200), secret: fc.nat(20), verb: fc.constantFrom('cancel', 'retry', 'read') })
  .map((made) =>
    command(
      `old secret ${JSON.stringify(made)}`,
      async (model, real) => {
        const secret = pick(model.oldSecrets, made.secret, (one) => isLive(model, one))
        if (!secret) return
        if (made.verb === 'read') return await expectAccess(model, real, secret)
        const intent = pick(model.intents, made.index, ({ status }) => status === 'failed')
        if (!intent) return
        const asked = { key: secret.name, named: null, method: null }
        const predict = (): Answer => {
          if (!isLive(model, secret)) return unauthorized
          return made.verb === 'cancel'
            ? predictCancel(model, intent, asked)
            : predictRetry(model, intent, asked)
        }
        const path = `/v1/purchase_intents/${intent.id}/${made.verb}`
        const request = { path, key: secret.token, body: {} }
        await decide(model, real, { operation: made.verb, request, intent, predict })
      },
      ({ oldSecrets }) => oldSecrets.length > 0,
    ),
  )

/** The newest secret of every agent works. */
const newSecrets = fc.constantFrom(...keyNames).map((name) =>
  command(
    `new secret of ${name}`,
    (model, real) =>
      expectAccess(model, real, { name, token: real.keys[name].token, until: Number.POSITIVE_INFINITY }),
    ({ oldSecrets }) => oldSecrets.some((old) => old.name === name),
  ),
)

export const keyArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 2, arbitrary: roll },
  { weight: 3, arbitrary: comeBack },
  { weight: 1, arbitrary: newSecrets },
]
