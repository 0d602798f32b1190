import { join } from 'node:path'
import type { Limits } from '../contract/limits.ts'
import type { Pools } from '../platform/database/pool.ts'
import { createEgress } from '../platform/egress/egress.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type { Log } from '../platform/logs/logs.ts'
import type { KeyProvider } from '../platform/secrets/keys.ts'
import { type VaultHealth, vaultDoors } from '../platform/vault-client/vault-words.ts'
import { createCardRecords } from './card-records.ts'
import { createCardSessions } from './card-sessions.ts'
import { takeCode } from './code-tokens.ts'
import { openDoor } from './door.ts'
import { enterCard, enterCode } from './enter-card.ts'
import { forwardCall } from './forward-call.ts'
import { grantCard, redeemCard } from './grants.ts'
import { openPublicDoor, type PublicDoorOptions, type PublicRoutes } from './public-door.ts'
import {
  readForward,
  readGrant,
  readNothing,
  readOpenTicket,
  readRecord,
  readRedeem,
  readSealTicket,
  readTakeCode,
} from './read-request.ts'
import { createRefusals } from './refusals.ts'
import { SealedTickets } from './sealed-tickets.ts'
import { SecurityCodes } from './security-codes.ts'
import { createTenantKeys } from './tenant-keys.ts'
import { cardRates, countVault, insertUse, sweepRefusals } from './vault.sql.ts'
import type { VaultRails } from './vault-rails.ts'

export type VaultOptions = {
  readonly pools: Pools
  /** The master keys at this moment. */
  readonly masters: () => KeyProvider
  /** With what was added since it last tidied up, for who asks how much is under older ones. */
  readonly newestMasters: () => KeyProvider
  /** The folder of the doors, with a folder for each. */
  readonly folder: string
  /** The rails that it calls, by mode: nobody else. */
  readonly rails: VaultRails
  /** Null: no browser leaves a card here. */
  readonly publicDoor: PublicDoorOptions | null
  readonly limits: Limits
  readonly faults: Faults
  readonly log: Log
}

type OpenVault = {
  /** Shreds what has served its time, and seals under a new master key what an older one sealed. */
  tidyUp(): Promise<void>
  close(): Promise<void>
}

/** The vault: everything that sees a card number or a password, behind two private doors and one for browsers. */
export async function openVault({
  pools,
  masters,
  newestMasters,
  folder,
  rails,
  publicDoor,
  limits,
  faults,
  log,
}: VaultOptions): Promise<OpenVault> {
  const codes = new SecurityCodes()
  const tickets = new SealedTickets()
  const keys = createTenantKeys(pools, masters, faults)
  const records = createCardRecords({ pools, keys, codes })
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: Object.values(rails).flatMap((all = []) => all.map(({ url }) => new URL(url).origin)),
  })
  const deps = { pools, records, codes, egress, rails, faults }
  const counts = { redeemed: 0, refused: 0 }
  const forwarding = {
    ...deps,
    async noteUse({ accountId, mode }: { accountId: string; mode: string }, id: string) {
      await pools.single(insertUse({ account_id: accountId, mode, id }))
    },
  }
  const worker = await openDoor(
    join(folder, vaultDoors.worker),
    {
      '/forward': async (body) => forwardCall(forwarding, readForward(body)),
      '/grant': async (body) => grantCard(deps, readGrant(body)),
      '/shred': async (body) => {
        const { tenant, record } = readRecord(body)
        await records.shred(tenant, record)
        return { kind: 'gone' }
      },
      '/describe': async (body) => {
        const { tenant, record } = readRecord(body)
        const found = await records.describe(tenant, record)
        return found === null ? { kind: 'none' } : { kind: 'record', record: found }
      },
      '/take_code': async (body) => takeCode(codes, readTakeCode(body)),
      '/sealing_key': async (body) => {
        readNothing(body)
        return tickets.sealingKey()
      },
      '/seal_ticket': async (body) => {
        const ticket = readSealTicket(body)
        await faults.at('ticket.keep.before')
        const isKept = tickets.keep(ticket)
        await faults.at('ticket.keep.after')
        return { kind: isKept ? 'sealed' : 'refused' }
      },
      '/health': async (): Promise<VaultHealth> => {
        const [row] = await pools.read(countVault({ master_key_id: newestMasters().currentId }))
        const { records: kept = 0, open_grants: openGrants = 0, behind = 0 } = row ?? {}
        return {
          pid: process.pid,
          records: kept,
          openGrants,
          behind,
          publicUrl: publicDoor?.url ?? null,
          ...counts,
        }
      },
    },
    log,
  )
  const browser = await openDoor(
    join(folder, vaultDoors.browser),
    {
      '/redeem_grant': async (body) => {
        const asked = readRedeem(body)
        const answer = await redeemCard(deps, asked)
        if (answer.kind === 'card') counts.redeemed += 1
        if (answer.kind === 'refused') counts.refused += 1
        const { grant: _, ...said } = { ...asked, answer: answer.kind }
        if (answer.kind === 'card') log.info(said, 'vault: a grant was redeemed')
        else log.warn(said, 'vault: a grant was not redeemed')
        return answer
      },
      '/open_ticket': async (body) => {
        const { ticket, cart, origin } = readOpenTicket(body)
        await faults.at('ticket.open.before')
        const answer = await tickets.open({ ticket, cart, origin })
        await faults.at('ticket.open.after')
        const said = { cart, origin, answer: answer.kind }
        if (answer.kind === 'secret') log.info(said, 'vault: a ticket was opened')
        else log.warn(said, 'vault: a ticket was not opened')
        return answer
      },
    },
    log,
  )
  const entry = {
    pools,
    sessions: createCardSessions(pools),
    records,
    codes,
    limits,
    faults,
    refusals: createRefusals(pools),
  }
  const routes: PublicRoutes = {
    '/cards': { method: 'POST', answer: (asked) => enterCard(entry, asked) },
    '/cvcs': { method: 'POST', answer: (asked) => enterCode(entry, asked) },
    '/sealing_keys': {
      method: 'GET',
      async answer() {
        const { key, publicKey: public_key } = tickets.sealingKey()
        return { status: 200, body: { keys: [{ key, public_key }] } }
      },
    },
  }
  const browsers = publicDoor === null ? null : await openPublicDoor(publicDoor, routes, log)
  return {
    async tidyUp() {
      const expired = await records.shredExpired()
      await pools.single(cardRates.sweep({ now: new Date(), limit: 1_000 }))
      await pools.single(sweepRefusals({ limit: 1_000 }))
      const sealed = await keys.sealAgain()
      if (expired > 0) log.info({ records: expired }, 'vault: records were shredded whose time was over')
      if (sealed > 0)
        log.info({ tenants: sealed }, 'vault: keys were sealed again, under the newest master key')
    },
    async close() {
      await Promise.all([worker.close(), browser.close(), browsers?.close()])
      codes.close()
      tickets.close()
      await egress.close()
    },
  }
}
