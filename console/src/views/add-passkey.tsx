import { useState } from 'react'
import { useCalls } from '../calls.ts'
import { makePasskey } from '../passkeys.ts'
import { usePressing } from '../pressing.ts'
import { ProblemText } from '../problem.tsx'
import { useWords } from '../words.ts'

/** Makes a passkey on this device, and adds it to the person. */
export function AddPasskey({ onAdded }: { readonly onAdded: () => Promise<void> | void }) {
  const words = useWords()
  const { ask, confirm } = useCalls()
  const [name, setName] = useState('')
  const { isBusy, error, press } = usePressing()
  async function add(): Promise<void> {
    const asked = await ask<{ id: string; options: Record<string, unknown> }>({
      method: 'POST',
      path: '/console/v1/passkeys/ask',
      body: {},
    })
    const credential = await makePasskey(asked.options)
    const body = { id: asked.id, credential, name: name.trim() }
    const added = await confirm({ method: 'POST', path: '/console/v1/passkeys', body })
    if (added === null) return
    setName('')
    await onAdded()
  }
  return (
    <form
      className="add-passkey"
      onSubmit={(event) => {
        event.preventDefault()
        void press(add)
      }}
    >
      <label htmlFor="passkey-name">{words.passkeyName}</label>
      <input
        id="passkey-name"
        value={name}
        maxLength={100}
        required
        pattern=".*\S.*"
        autoComplete="off"
        aria-describedby="passkey-name-text"
        onChange={({ target }) => setName(target.value)}
      />
      <p className="hint" id="passkey-name-text">
        {words.passkeyNameText}
      </p>
      <ProblemText error={error} />
      <button type="submit" id="add-passkey" className="button main" disabled={isBusy}>
        {words.addPasskey}
      </button>
    </form>
  )
}
