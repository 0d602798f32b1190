import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import { CommandFailure } from '../failure.ts'
import { findProfile } from '../purchases/people.ts'
import type { ProductApi } from '../purchases/product-api.ts'
import { note } from '../terminal.ts'

/** The person that a demo buys for, and a card that agents may use. Test mode knows the card. */
export const demoProfile = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  addresses: [
    {
      address_type: 'both',
      line1: '1 Analytical Way',
      city: 'Portland',
      state: 'OR',
      postal_code: '97201',
      country: 'US',
    },
  ],
}

export const demoCard = {
  type: 'card',
  label: 'Demo card',
  card: {
    kind: 'existing',
    vault_token_id: 'visa_auto_approved',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  },
}

/** The profile that was named, or the only one; in test mode one is made where there is none. */
export async function profileOrDemo(api: ProductApi, named: string | undefined): Promise<Profile> {
  return (await findProfile(api, named)) ?? (await madeUp(api))
}

async function madeUp(api: ProductApi): Promise<Profile> {
  if (api.mode === 'live')
    throw new CommandFailure(
      `There is no profile to buy for in live mode. Add one with ${api.command('profiles add')}, and name it with --profile.`,
    )
  const made: Profile = await api.post('/v1/profiles', demoProfile)
  await api.post(`/v1/profiles/${made.id}/payment_methods`, demoCard)
  note(`There was no profile, so Ada Lovelace was made up to buy for, with a test card: ${made.id}.`)
  return made
}
