import { formatMoney } from '../../core/money.ts'
import type { WalletTokensAtHand } from '../../domain/buyers/wallets/port.ts'
import type {
  Call,
  HoldAnswer,
  NotNow,
  PaymentRail,
  RailAnswer,
  RailCredential,
  RailDeclaration,
  RailMemory,
  RailReading,
  Recalled,
} from '../../domain/buying/rails/port.ts'
import { isRehearsal } from '../../platform/config/is-rehearsal.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import { walletTerms, whyNotByLink } from './limits.ts'
import { errorOf, type LinkApi, notNowOf, openLinkApi } from './link-api.ts'
import { credentialOf, personOf, type SpendRequest, spendRequestOf } from './spend-request.ts'

/** Where Link is reached, and the tokens of wallets there. */
export type LinkParts = { readonly url: string; readonly wallets: WalletTokensAtHand }

type Options = LinkParts & { readonly egress: Egress; readonly vault: VaultClient }

/** The rail of wallets in live mode, beside the one that charges cards. */
export const linkRail: RailDeclaration<{
  link?: LinkParts | null
  egress: Egress
  vault?: VaultClient | null
}> = {
  name: 'link',
  modes: ['live'],
  issues: ['card'],
  issuesCards: ({ link = null }) => link !== null,
  isAskedByCall: true,
  wallet: walletTerms,
  open: ({ link = null, egress, vault = null }) =>
    link === null || vault === null ? null : createLinkRail({ ...link, egress, vault }),
}

/**
 * Link's agent wallet: a person with a Link account approves one purchase at a page of Link, and Link issues a card for it that is good once.
 * It issues such cards and does nothing else: what the shop takes by one, it takes from the person.
 *
 * What it promises, and where that ends:
 * - Nothing is held before the person has approved it there. Until then the credential waits for them; what they refuse is refused.
 * - The number goes from Link into the vault. This process sees the name of its record.
 * - Every request carries its key, so that one whose answer was lost is found in the list of the wallet.
 * - To cancel is the fence: Link issues nothing for a request that is cancelled, and its card is charged no more.
 * - A credential is named by its wallet and its request, because Link answers about a request to the wallet's own sign-in alone.
 */
export function createLinkRail(options: Options): PaymentRail {
  const means: Means = { api: openLinkApi(options), vault: options.vault, isTest: isRehearsal(options.url) }
  const notOffered = async () => refused('not_offered')
  return {
    authorize: notOffered,
    chargeCredential: notOffered,
    capture: notOffered,
    void: notOffered,
    refund: notOffered,
    issueCredential: (input, call) => request(means, input, within(call)),
    revoke: ({ reference }, call) => cancel(means.api, reference, within(call)),
    get: (_, reference, call) => read(means.api, reference, call),
    async ask(key, call, sent) {
      if (sent?.step === 'revoke') return await askRevoked(means.api, sent.input.reference, within(call))
      const terms = sent?.step === 'issue_credential' ? termsOf(sent.input) : null
      return terms === null ? { kind: 'unknown' } : await find(means, { key, terms }, within(call))
    },
    async close(sent, call) {
      const terms = sent.step === 'issue_credential' ? termsOf(sent.input) : null
      return terms === null ? { kind: 'closed' } : await close(means, terms, within(call))
    },
  }
}

/** Requests of one call have its time together: each has what is left of it. */
function within({ mode, timeoutMs }: Call): Call {
  const endsAt = performance.now() + timeoutMs
  return {
    mode,
    get timeoutMs() {
      return Math.max(1, Math.ceil(endsAt - performance.now()))
    },
  }
}

type Means = {
  readonly api: LinkApi
  readonly vault: VaultClient
  /** A simulator moves nobody's money, whatever mode asks for it. */
  readonly isTest: boolean
}

/** A card for a page, paid by the wallet that `saved` names. */
type Terms = Omit<RailCredential, 'vaultOf'> & {
  readonly vaultOf: NonNullable<RailCredential['vaultOf']>
  readonly wallet: string
  readonly method: string
}

function termsOf(input: RailCredential): Terms | null {
  const { vaultOf, card } = input
  if (vaultOf === undefined || card.saved === undefined) return null
  return { ...input, vaultOf, wallet: card.saved.customer, method: card.saved.method }
}

function refused(code: string): Extract<RailAnswer, { kind: 'refused' }> {
  return { kind: 'refused', refusal: { code, declineCode: null } }
}

const referenceOf = ({ wallet }: Pick<Terms, 'wallet'>, { id }: SpendRequest) => `${wallet}/${id}`

function partsOf(reference: string): { wallet: string; path: string } {
  const at = reference.lastIndexOf('/')
  return {
    wallet: reference.slice(0, at),
    path: `/spend_requests/${encodeURIComponent(reference.slice(at + 1))}`,
  }
}

/** The same request under the same key, however often it is sent. */
function requestOf(terms: Terms, isTest: boolean) {
  const { key, method, limit, currency, merchant, reference, expiresAt } = terms
  return {
    method: 'POST' as const,
    path: '/spend_requests',
    key,
    body: {
      payment_details: method,
      credential_type: 'card',
      amount: Number(limit),
      currency: currency.toLowerCase(),
      merchant_name: merchant,
      merchant_url: `https://${merchant}`,
      context: contextOf(terms),
      totals: [{ type: 'total', display_text: 'Total', amount: Number(limit) }],
      request_approval: true,
      test: isTest,
      metadata: { prokura_key: key, reference },
      expires_at: Math.floor(expiresAt.getTime() / 1000),
    },
  }
}

/** What the person reads. Link wants a hundred characters, and all of them are ours: no word of a shop or an agent asks for money here. */
function contextOf({ merchant, limit, currency, reference }: Terms): string {
  return (
    `A purchase at ${merchant} for at most ${formatMoney(limit, currency)}, delivery and tax included, which was decided ` +
    `under the rules that you or your company have set. Approve it only if you expect it. ${reference}`
  )
}

async function request(means: Means, input: RailCredential, call: Call): Promise<HoldAnswer> {
  const terms = termsOf(input)
  if (terms === null) return refused('not_offered')
  const neededForMs = terms.expiresAt.getTime() - Date.now()
  const why = whyNotByLink({ amount: terms.limit, currency: terms.currency, neededForMs })
  if (why !== null) return refused(why)
  const said = await means.api.send(terms.wallet, requestOf(terms, means.isTest), call)
  if (said.kind === 'signed_out') return refused('authentication_failed')
  if (said.kind === 'not_now' || said.kind === 'not_sent') return said
  if (said.kind === 'lost') return { kind: 'unknown' }
  const made = said.status < 300 ? spendRequestOf(said.body) : earlierOf(errorOf(said), terms)
  if (made !== null) return await answerTo(means, terms, made, call)
  if (said.status < 300) return { kind: 'unknown' }
  const { code } = errorOf(said)
  return notNowOf(said) ?? refused(typeof code === 'string' ? code : 'refused_by_link')
}

/** A request that is made again too soon is refused, and the refusal shows the first one. */
function earlierOf({ duplicate_spend_request: shown }: Readonly<Record<string, unknown>>, { key }: Terms) {
  const earlier = spendRequestOf(shown)
  return earlier?.key === key ? earlier : null
}

async function answerTo(
  means: Means,
  terms: Terms,
  made: SpendRequest,
  call: Call,
): Promise<Exclude<HoldAnswer, { kind: 'not_sent' }>> {
  switch (made.status) {
    case 'created':
    case 'pending_approval':
    case 'requires_action':
      // What Link asks for in another place than its page ends this request, and nobody is told a page that leads elsewhere.
      return personOf(made) ?? refused('authentication_failed')
    case 'approved':
      return await takeNumber(means, terms, made, call)
    case 'succeeded':
      return { kind: 'done', value: credentialOf(made, referenceOf(terms, made)) }
    case 'denied':
    case 'expired':
      return refused('authentication_failed')
    case 'canceled':
      return refused('canceled')
    case 'failed':
      return refused('declined')
    default:
      return made.status satisfies never
  }
}

/** Where Link says what makes its card usable. */
const numberPointers = {
  number: '/card/number',
  expMonth: '/card/exp_month',
  expYear: '/card/exp_year',
  securityCode: '/card/cvc',
  holder: '/card/billing_address/name',
}

/** The vault fetches the number. It can do so again: it knows the number then. */
async function takeNumber(
  { api, vault }: Means,
  terms: Terms,
  made: SpendRequest,
  call: Call,
): Promise<Extract<RailMemory, { kind: 'done' | 'unknown' }>> {
  const headers = await api.headersOf(terms.wallet, call)
  if (headers === null) return { kind: 'unknown' }
  const reference = referenceOf(terms, made)
  const told = await vault.forward({
    tenant: { accountId: terms.vaultOf, mode: call.mode },
    method: 'GET',
    url: `${api.base}${partsOf(reference).path}?include=card`,
    headers,
    body: null,
    timeoutMs: call.timeoutMs,
    seal: { ...numberPointers, keepUntil: terms.expiresAt },
  })
  if (told.kind !== 'answer' || told.record === null) return { kind: 'unknown' }
  return { kind: 'done', value: { ...credentialOf(made, reference), record: told.record.id } }
}

/** Of the wallet's requests the one that carries the key. */
async function lookFor(
  api: LinkApi,
  { key, wallet }: Pick<Terms, 'key' | 'wallet'>,
  call: Call,
): Promise<SpendRequest | Extract<Recalled, { kind: 'not_now' | 'not_found' | 'closed' | 'unknown' }>> {
  const said = await api.send(wallet, { method: 'GET', path: '/spend_requests?include_history=true' }, call)
  // guard signed-out-is-closed: a card that the vault could not fetch is shown to no shop, and nobody can fetch it any more
  if (said.kind === 'signed_out') return { kind: 'closed' }
  if (said.kind === 'not_now') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const { data, has_more: more } = said.body
  if (said.status >= 300 || !Array.isArray(data)) return notNowOf(said) ?? { kind: 'unknown' }
  const found = data.map(spendRequestOf).find((one) => one?.key === key)
  // guard only-a-whole-list-denies: what may stand on a page that was not read may have been made
  return found ?? (more === true ? { kind: 'unknown' } : { kind: 'not_found' })
}

async function find(
  means: Means,
  { key, terms }: { key: string; terms: Terms },
  call: Call,
): Promise<Recalled> {
  const found = await lookFor(means.api, { key, wallet: terms.wallet }, call)
  if ('kind' in found) return found
  if (found.status === 'canceled') return { kind: 'closed' }
  return await answerTo(means, terms, found, call)
}

/** One that is not found may be under way: it is sent again as it was, so that both are the same request, and cancelled then. */
async function close(means: Means, terms: Terms, call: Call): Promise<RailMemory> {
  const found = await lookFor(means.api, terms, call)
  if ('kind' in found && found.kind !== 'not_found') return found
  const made = 'kind' in found ? await makeAgain(means, terms, call) : found
  if ('kind' in made) return made
  const ended = await cancel(means.api, referenceOf(terms, made), call)
  if (ended.kind === 'done') return ended.value.capturedAmount > 0n ? ended : { kind: 'closed' }
  return ended.kind === 'not_now' ? ended : { kind: 'unknown' }
}

async function makeAgain(
  { api, isTest }: Means,
  terms: Terms,
  call: Call,
): Promise<SpendRequest | RailMemory> {
  const said = await api.send(terms.wallet, requestOf(terms, isTest), call)
  if (said.kind === 'signed_out') return { kind: 'closed' }
  if (said.kind === 'not_now') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const made = said.status < 300 ? spendRequestOf(said.body) : earlierOf(errorOf(said), terms)
  if (made !== null) return made
  // What Link refuses to make it never makes, and the same request would be refused again.
  return notNowOf(said) ?? (said.status < 300 ? { kind: 'unknown' } : { kind: 'closed' })
}

async function read(api: LinkApi, reference: string, call: Call): Promise<RailReading> {
  const { wallet, path } = partsOf(reference)
  const said = await api.send(wallet, { method: 'GET', path }, call)
  if (said.kind === 'signed_out') return noWallet
  if (said.kind === 'not_now') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const request = said.status < 300 ? spendRequestOf(said.body) : null
  if (request === null) return notNowOf(said) ?? { kind: 'unknown' }
  // Before its person has decided it is no credential.
  return personOf(request) ? { kind: 'unknown' } : { kind: 'done', value: credentialOf(request, reference) }
}

/** Nobody is signed in to the wallet that a card is of: what became of it nobody can say, and for how long depends on its person. */
const noWallet: NotNow = { kind: 'not_now', reason: 'no_object', retryAfterSeconds: null }

/** A card that is still good was not revoked. */
async function askRevoked(api: LinkApi, reference: string, call: Call): Promise<Recalled> {
  const now = await read(api, reference, call)
  return now.kind === 'done' && now.value.status === 'authorized' ? { kind: 'not_found' } : now
}

async function cancel(api: LinkApi, reference: string, call: Call): Promise<RailAnswer> {
  const { wallet, path } = partsOf(reference)
  const said = await api.send(wallet, { method: 'POST', path: `${path}/cancel` }, call)
  if (said.kind === 'signed_out') return noWallet
  if (said.kind === 'not_now' || said.kind === 'not_sent') return said
  if (said.kind === 'lost') return { kind: 'unknown' }
  const ended = said.status < 300 ? spendRequestOf(said.body) : null
  if (ended !== null) return { kind: 'done', value: credentialOf(ended, reference) }
  const away = notNowOf(said)
  if (away !== null) return away
  // It is over already: charged, refused, expired or cancelled before.
  const now = await read(api, reference, call)
  return now.kind === 'done' && now.value.status === 'authorized' ? { kind: 'unknown' } : now
}
