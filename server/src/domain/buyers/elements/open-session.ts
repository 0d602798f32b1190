import Type from 'typebox'
import type { CallContext, Settings } from '../../../contract/context.ts'
import type { ProfileId } from '../../../contract/ids.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, IdOf, ModeSchema, Nullable, OneOf } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { type ElementRight, elementHash } from '../../../platform/doors/element-door.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { insertSession } from './elements.sql.ts'

/** A session that nobody uses ends after this; one that is used goes on until its last moment. */
const sessionMinutes = 15
const sessionMinutesMax = 60

/** What a component learns of its session, besides its own name. */
export const sessionFields = {
  session: Type.String({ description: 'The token of the session, for the memory of the component alone.' }),
  expires_at: At('When it ends if nobody uses it.'),
  mode: ModeSchema,
  profile_id: IdOf('prof'),
  purchase_intent_id: Nullable(IdOf('pi', 'The purchase that it is shown for; null if for none.')),
  may: Type.Array(OneOf(['write', 'read', 'approve'], { description: 'What the component may do.' })),
  vault_url: Nullable(
    Type.String({
      description:
        'Where the component leaves what nobody else may see; null: nowhere, because cards are entered at `cards_url` alone.',
    }),
  ),
  cards_url: Nullable(
    Type.String({
      description:
        'The page on which the payment processor takes cards (`elements_create_card_setup`); null: they go to the vault.',
    }),
  ),
}

type NewSession<Component extends string> = {
  readonly component: Component
  readonly keyId: Id<'key'>
  /** Of the page that shows the component. */
  readonly origin: string
  readonly profileId: ProfileId
  readonly intentId: string | null
  readonly may: readonly ElementRight[]
  readonly isVouched: boolean
  /** For one that approves: the digest of what it shows, and when the approval ends for which it is made. */
  readonly answers: { readonly terms: Buffer; readonly until: Date } | null
}

/** Writes the session, and returns what the component learns of it. */
export function openSession<Component extends string>(ctx: CallContext, asked: NewSession<Component>) {
  const { component, keyId, origin, profileId, intentId, isVouched, answers } = asked
  const { accountId: account_id, mode } = ctx.tenant
  const vault_url = ctx.settings.elements?.vaultUrl ?? null
  const cards_url = mode === 'live' ? cardsPageOf(ctx.settings.cards, origin) : null
  if (vault_url === null && cards_url === null) throw new Problem('unavailable', { message: noVault })
  const session = newToken(`pr_es_${mode}_`, ctx.random)
  const inMinutes = (minutes: number) =>
    new Date(Math.min(ctx.now.getTime() + minutes * 60_000, answers?.until.getTime() ?? Infinity))
  const expires_at = inMinutes(sessionMinutes)
  const may = [...asked.may]
  ctx.tx.write(
    insertSession({
      account_id,
      mode,
      hash: elementHash(session),
      key_id: keyId,
      component,
      origin,
      profile_id: profileId,
      purchase_intent_id: intentId,
      may,
      is_vouched: isVouched,
      terms: answers?.terms ?? null,
      answers_until: answers?.until ?? null,
      created_at: ctx.now,
      expires_at,
      ends_at: inMinutes(sessionMinutesMax),
    }),
  )
  return {
    session,
    expires_at: expires_at.toISOString(),
    component,
    mode,
    profile_id: profileId,
    purchase_intent_id: intentId,
    may,
    vault_url,
    cards_url,
  }
}

/** Test mode always has our own fields. The page is told in whose page it stands, for it alone lets it. */
function cardsPageOf(cards: Settings['cards'], host: string): string | null {
  if (cards === undefined) return null
  const page = new URL('/cards/v1/page', cards.url)
  page.searchParams.set('host', host)
  return page.href
}

const noVault =
  'This installation takes no cards: nobody has said where its vault is reached (PROKURA_VAULT_URL).'
