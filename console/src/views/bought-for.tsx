import { useLoaded } from '../loaded.ts'
import { useWords } from '../words.ts'

type Address = {
  readonly id: string
  readonly recipient_name: string
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string
}

type Profile = {
  readonly first_name: string
  readonly last_name: string | null
  readonly email: string
  readonly addresses: readonly Address[]
}

type BoughtForProps = { readonly profileId: string; readonly addressId: string | null }

/** For whom it is bought and where it goes, as their profile says it; by its id where nobody may see the profile. */
export function BoughtFor({ profileId, addressId }: BoughtForProps) {
  const words = useWords()
  const { value, error } = useLoaded<Profile>(`/v1/profiles/${profileId}`)
  const to = value?.addresses.find(({ id }) => id === addressId)
  return (
    <>
      <div>
        <dt>{words.boughtFor}</dt>
        {value === null ? (
          <dd className="address">{error === null ? words.loading : profileId}</dd>
        ) : (
          <>
            <dd>
              <bdi>{[value.first_name, value.last_name].filter(Boolean).join(' ')}</bdi>
            </dd>
            <dd className="address">{value.email}</dd>
          </>
        )}
      </div>
      {to === undefined ? null : (
        <div>
          <dt>{words.shippedTo}</dt>
          {linesOf(to).map((line) => (
            <dd key={line}>
              <bdi>{line}</bdi>
            </dd>
          ))}
        </div>
      )}
    </>
  )
}

function linesOf({ recipient_name, line1, line2, city, state, postal_code, country }: Address): string[] {
  const place = [postal_code, city, state].filter(Boolean).join(' ')
  return [recipient_name, line1, line2, place, country].filter(
    (line) => line !== null && line !== '',
  ) as string[] // without null
}
