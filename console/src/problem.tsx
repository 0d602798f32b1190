import { Refusal } from './api.ts'
import { NoPasskey } from './passkeys.ts'
import { useWords } from './words.ts'

/** What went wrong: what the interface refuses is in its own words. */
export function ProblemText({ error }: { readonly error: unknown }) {
  const words = useWords()
  if (error === null) return null
  if (error instanceof Refusal)
    return (
      <p className="problem" role="alert" lang="en">
        {error.message}
      </p>
    )
  return (
    <p className="problem" role="alert">
      {error instanceof NoPasskey ? words.noPasskey : words.unreachable}
    </p>
  )
}
