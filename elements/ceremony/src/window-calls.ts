import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call, type Fetch, type Outcome } from '../../frame/src/calls/call.ts'

/** What a person is asked. */
export type Asked = {
  readonly isTest: boolean
  readonly purpose: 'approval' | 'enrollment'
  readonly page: string
  readonly merchants: readonly string[]
  readonly amount: number | null
  readonly currency: string | null
  readonly brand: string
  readonly last4: string
} & (
  | {
      readonly method: 'popup'
      /** The page of the bank that has issued the card, and what the person has said there. */
      readonly bank: { readonly url: string; readonly answer: 'pending' | 'confirmed' | 'refused' }
    }
  | {
      readonly method: 'passkey'
      /** For the one purpose or the other, as the purpose says. */
      readonly options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON
    }
)

export type Answered = Outcome<'proven' | 'refused'>

export type WindowCalls = {
  open(): Promise<Outcome<Asked>>
  finish(isConfirmed: boolean, credential?: object): Promise<Answered>
}

export function createWindowCalls(fetch: Fetch, token: string): WindowCalls {
  const ask = (path: string, more: object) =>
    call(fetch, { url: `/elements/v1/ceremonies/${path}`, body: { window: token, ...more } })
  return {
    async open() {
      const said = await ask('open', {})
      return said.kind === 'done' ? { kind: 'done', value: askedOf(said.value) } : said
    },
    async finish(isConfirmed, credential) {
      const said = await ask('finish', {
        is_confirmed: isConfirmed,
        ...(credential === undefined ? {} : { credential }),
      })
      if (said.kind !== 'done') return said
      return { kind: 'done', value: said.value.status === 'proven' ? 'proven' : 'refused' }
    },
  }
}

/** The window is a part of the program that answers it. */
function askedOf(said: Readonly<Record<string, unknown>>): Asked {
  const { mode, card_brand: brand, card_last4: last4, ...rest } = said
  return { ...rest, isTest: mode === 'test', brand, last4 } as Asked
}
