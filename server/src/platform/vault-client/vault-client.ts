import { join } from 'node:path'
import { askDoor } from './ask-door.ts'
import {
  type CardRecord,
  type Forwarded,
  type ForwardedCall,
  type Granted,
  type GrantRequest,
  type SealedTicket,
  type SealingKey,
  type TakeCodeRequest,
  type TakenCode,
  type TicketSealed,
  type VaultAway,
  type VaultHealth,
  type VaultTenant,
  vaultDoors,
} from './vault-words.ts'

/** What API and worker may ask the vault. None of its answers holds a number. */
export interface VaultClient {
  /** Makes a call to the rail in which cards of the vault stand, or whose answer holds a card for it. */
  forward(call: ForwardedCall): Promise<Forwarded>
  /** Permission for the browser to type a number once. */
  grant(request: GrantRequest): Promise<Granted>
  /** Destroys the number. A record that is gone already is destroyed, too; a card that a person has entered stays while somebody has it. */
  shred(tenant: VaultTenant, record: string): Promise<{ readonly kind: 'gone' } | VaultAway>
  describe(
    tenant: VaultTenant,
    record: string,
  ): Promise<{ readonly kind: 'record'; readonly record: CardRecord } | { readonly kind: 'none' } | VaultAway>
  /** Takes a security code that a person has entered, for one purchase and no other. */
  takeCode(request: TakeCodeRequest): Promise<TakenCode | VaultAway>
  /** What a person's own page seals a ticket to. */
  sealingKey(): Promise<SealingKey | null>
  /** Leaves a ticket with the vault as it was sealed. */
  sealTicket(ticket: SealedTicket): Promise<TicketSealed>
  health(): Promise<VaultHealth | null>
}

/** The forwarded call has its own time; this is for what the vault does before and after it. */
const besideMs = 500
const answerMs = 3_000

/** `folder` is the folder of the vault's doors. Nothing is opened before the first question. */
export function createVaultClient(folder: string): VaultClient {
  const socket = join(folder, vaultDoors.worker)
  // The vault is a part of this program: its answers are as `vault-words.ts` says.
  const ask = async <T>(path: string, body: object): Promise<T | VaultAway> => {
    const said = await askDoor(socket, { path, body, timeoutMs: answerMs })
    return said.kind === 'answer' ? (said.value as T) : { kind: 'away' }
  }
  return {
    async forward(call) {
      const timeoutMs = call.timeoutMs + besideMs
      const said = await askDoor(socket, { path: '/forward', body: call, timeoutMs })
      if (said.kind === 'answer') return said.value as Forwarded
      return said.kind === 'lost' ? said : { kind: 'not_sent', retryable: true }
    },
    grant: (request) => ask<Granted>('/grant', request),
    shred: (tenant, record) => ask('/shred', { tenant, record }),
    describe: (tenant, record) => ask('/describe', { tenant, record }),
    takeCode: (request) => ask<TakenCode>('/take_code', request),
    async sealingKey() {
      const said = await askDoor(socket, { path: '/sealing_key', body: {}, timeoutMs: answerMs })
      return said.kind === 'answer' ? (said.value as SealingKey) : null
    },
    sealTicket: ({ enc, ciphertext, ...facts }) =>
      ask('/seal_ticket', {
        ...facts,
        enc: enc.toString('base64url'),
        ciphertext: ciphertext.toString('base64url'),
      }),
    async health() {
      const said = await askDoor(socket, { path: '/health', body: {}, timeoutMs: answerMs })
      return said.kind === 'answer' ? (said.value as VaultHealth) : null
    },
  }
}
