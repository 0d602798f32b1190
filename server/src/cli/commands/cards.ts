import type { Command } from 'commander'
import type { PaymentMethod } from '../../domain/buyers/payment-methods/payment-method.ts'
import { testCards } from '../../domain/buyers/payment-methods/test-cards.ts'
import { CommandFailure } from '../failure.ts'
import { cardLine, profileFor } from '../purchases/people.ts'
import { type ApiOptions, asksService, type ProductApi, productApi } from '../purchases/product-api.ts'
import { out, outJson, styled, table } from '../terminal.ts'

type Options = ApiOptions & { profile?: string }

export function defineCards(cards: Command): void {
  const of = (name: string, description: string) =>
    asksService(cards.command(name))
      .description(description)
      .option('--profile <id>', 'whose cards (default: the only profile)')
  of('list', 'List the cards, newest first.').action(list)
  of('add', 'Add a card: one of the test cards in test mode, or a token of a card.')
    .argument('<card>', 'the name of a test card, or a token; never a card number')
    .option('--default', 'pay with it where a purchase names no other')
    .option('--label <text>', 'a name to tell it from others')
    .option('--no-enroll', 'do not enroll it: each purchase asks for its security code')
    .addHelpText(
      'after',
      `
A card is enrolled for purchases by agents, and with this command the cardholder accepts the terms of that.
An enrolled card is charged without its security code.

Test cards, which all expire 01/2030 and have the security code 111:
${testCardLines().join('\n')}`,
    )
    .action(add)
  of('verify', 'Complete the enrollment of a card that waits for a proof of its holder.')
    .argument('<card>', 'the id of the card')
    .option('--code <code>', 'the one-time password of the card; test cards take 123456')
    .option('--assertion <text>', "what the card's passkey or its issuer's window gave")
    .action(verify)
  of('remove', 'Remove a card. Its record is deleted for good.')
    .argument('<card>', 'the id of the card')
    .action(remove)
}

function testCardLines(): string[] {
  return Object.entries(testCards).map(([name, { brand, last4, enrollment, stepUp }]) => {
    const how = typeof enrollment === 'string' ? enrollment : `enrolled by ${enrollment.join(' and ')}`
    const asks = stepUp === 'none' ? '' : `, asks for ${stepUp}`
    return `  ${name.padEnd(26)} ${brand} ${last4}, ${how}${asks}`
  })
}

async function list(options: Options): Promise<void> {
  const api = productApi(options)
  const profile = await profileFor(api, options.profile)
  const page: { data: PaymentMethod[] } = await api.get(`/v1/profiles/${profile.id}/payment_methods`)
  if (options.json) return outJson(page)
  if (page.data.length === 0)
    return out(`${profile.id} has no card. Add one with ${adding(api, profile.id)}.`)
  const cells = page.data.map((one) => [
    one.id,
    cardLine(one),
    one.card?.agentic_credentials_status ?? '–',
    one.is_default ? 'default' : '',
  ])
  for (const line of table(['ID', 'CARD', 'FOR AGENTS', ''], cells)) out(line)
}

function adding(api: ProductApi, profileId: string): string {
  return api.command(
    `cards add ${api.mode === 'test' ? 'visa_auto_approved' : 'TOKEN'} --profile ${profileId}`,
  )
}

/** Digits with what people put between them: whoever types that means a card number. */
const numberLike = /^[\d\s.-]{12,}$/

async function add(
  card: string,
  options: Options & { default?: boolean; label?: string; enroll: boolean },
): Promise<void> {
  if (numberLike.test(card.trim()))
    throw new CommandFailure(
      'A card number is never taken here, and nothing was sent. Remove it from the history of your shell. Name a test card, or a token of the card; --help lists the test cards.',
    )
  const api = productApi(options)
  const profile = await profileFor(api, options.profile)
  const { default: isDefault, label, enroll } = options
  const made: PaymentMethod = await api.post(`/v1/profiles/${profile.id}/payment_methods`, {
    type: 'card',
    ...(isDefault ? { is_default: true } : {}),
    ...(label === undefined ? {} : { label }),
    card: {
      kind: 'existing',
      vault_token_id: card,
      ...(enroll ? { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true } : {}),
    },
  })
  said(api, made, options)
}

async function verify(id: string, options: Options & { code?: string; assertion?: string }): Promise<void> {
  const api = productApi(options)
  const profile = await profileFor(api, options.profile)
  const path = `/v1/profiles/${profile.id}/payment_methods/${encodeURIComponent(id)}`
  const { next_action: asked }: PaymentMethod = await api.get(path)
  const { code, assertion } = options
  const proof = asked?.method === 'otp' ? code : assertion
  // An attempt without a proof would count as a refused one.
  if (asked && proof === undefined)
    throw new CommandFailure(
      `The card asks for ${asked.method}: add ${asked.method === 'otp' ? '--code' : '--assertion'}.`,
    )
  const method = asked?.method ?? 'otp'
  const body = { method, ...(method === 'otp' ? { code } : { assertion }) }
  said(api, await api.post(`${path}/verify`, body), options)
}

async function remove(id: string, options: Options): Promise<void> {
  const api = productApi(options)
  const profile = await profileFor(api, options.profile)
  const path = `/v1/profiles/${profile.id}/payment_methods/${encodeURIComponent(id)}`
  const removed: PaymentMethod = await api.remove(path)
  if (options.json) outJson(removed)
  else out(`${cardLine(removed)} was removed.`)
}

function said(api: ProductApi, method: PaymentMethod, { json }: ApiOptions): void {
  if (json) {
    outJson(method)
    return
  }
  const { id, is_default, profile_id, next_action, card } = method
  out(`${styled('bold', cardLine(method))}  ${id} (${api.mode} mode${is_default ? ', default' : ''})`)
  if (next_action) {
    const proof = next_action.method === 'otp' ? '--code CODE' : '--assertion TEXT'
    out(`Complete its enrollment with ${api.command(`cards verify ${id} ${proof} --profile ${profile_id}`)}.`)
  } else if (card && card.agentic_credentials_status !== 'active')
    out(
      `Each purchase asks for its security code, because its enrollment is ${card.agentic_credentials_status.replace('_', ' ')}.`,
    )
}
