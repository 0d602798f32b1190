import { boundAgents, everyOperation, product, slices } from './composition.ts'
import type { Operation } from './contract/operation.ts'
import { type Binding, bind, bindPorts } from './contract/port.ts'
import { type CardKeeper, CardKeepers, noKeeper } from './domain/buyers/card-setups/port.ts'
import { CardVault, noVault } from './domain/buyers/payment-methods/port.ts'
import { noWallets, type WalletKeeper, WalletKeepers } from './domain/buyers/wallets/port.ts'
import { noTicketVault, TicketVault } from './domain/buying/credential-tickets/port.ts'
import { BundleSigner } from './domain/buying/evidence-bundles/port.ts'
import { noTypedCodes, TypedCodes } from './domain/buying/intents/decide/payment-proofs.ts'
import { CardBank, noCardBank } from './domain/buying/verifications/port.ts'
import { noSources } from './domain/discovery/sources/catalog-sources.ts'
import { CatalogSources } from './domain/discovery/sources/port.ts'
import { noPayoutAccounts, PayoutAccounts } from './domain/selling/payouts/port.ts'
import type { Parts } from './parts.ts'
import { createDispatch, type Dispatch } from './platform/calls/dispatch.ts'

export type DispatchOptions = {
  /** Other operations than those of the product: suites plant faults in them that must be found. */
  operations?: readonly Operation[]
  /** The ports by which operations ask the outside, besides those that slices bind for each other. */
  ports?: readonly Binding[]
  /** The catalogs of others that searches ask; by default none. */
  catalogs?: CatalogSources
  /** The vault with what people have entered; by default there is nothing. */
  vault?: CardVault & TypedCodes
  /** The rail that keeps the cards of people; by default none does. */
  cardKeeper?: CardKeeper
  /** The rail that keeps the wallets of people; by default none does. */
  walletKeeper?: WalletKeeper
  /** Where what people type at merchants is left; by default nowhere. */
  ticketVault?: TicketVault
  /** The banks that ask the holders of cards; by default none is reached. */
  cardBank?: CardBank
  /** The rail that pays merchants; by default none does. */
  payoutAccounts?: PayoutAccounts
  onBug: (error: unknown) => void
  checkReply?: Parameters<typeof createDispatch>[0]['checkReply']
}

/** Calls operations as a principal: for the surfaces of the API, for the work of a worker, for a command. One for each process. */
export function openDispatch(
  parts: Parts,
  { operations = everyOperation, ...options }: DispatchOptions,
): Dispatch {
  return createDispatch({
    ...parts,
    operations,
    problems: product.problems,
    boundAgents,
    ports: bindPorts([
      bind(CatalogSources, options.catalogs ?? noSources),
      bind(CardVault, options.vault ?? noVault),
      bind(TypedCodes, options.vault ?? noTypedCodes),
      bind(TicketVault, options.ticketVault ?? noTicketVault),
      bind(BundleSigner, parts.signingKeys),
      bind(CardBank, options.cardBank ?? noCardBank),
      bind(PayoutAccounts, options.payoutAccounts ?? noPayoutAccounts),
      bind(WalletKeepers, options.walletKeeper ?? noWallets),
      bind(CardKeepers, options.cardKeeper ?? noKeeper),
      ...slices.flatMap((slice) => slice.binds ?? []),
      ...(options.ports ?? []),
    ]),
    onBug: options.onBug,
    ...(options.checkReply ? { checkReply: options.checkReply } : {}),
  })
}
