import { useEffect, useState } from 'preact/hooks'
import type { ElementOptions, FrameMessage } from '../../../messages/src/messages.ts'
import type { Refusal } from '../calls/call.ts'
import {
  type BillingAddress,
  type BillingDraft,
  type BillingField,
  billingFields,
  billingOf,
  checkBilling,
} from './billing-address.ts'
import { likelyCountry } from './countries.ts'

/** Why a field is marked: it is empty, or the server does not take it. */
export type BillingErrors = { readonly [Field in BillingField]?: 'missing' | { readonly refusal: string } }

const emptyDraft: BillingDraft = { country: '', line1: '', line2: '', postal_code: '', city: '', state: '' }

/** The billing address that the page asks for, with what is typed and what is wrong with it. */
export function useBilling(
  { settings, clientSecret }: ElementOptions,
  tell: (message: FrameMessage) => void,
) {
  const [asked] = useState(() => billingOf(settings))
  const [draft, setDraft] = useState(() => ({ ...emptyDraft, country: likelyCountry(navigator.languages) }))
  const [errors, setErrors] = useState<BillingErrors>({})
  const [wrong, setWrong] = useState<{ readonly field: BillingField } | null>(null)
  const isShown = asked === 'full' && clientSecret !== null
  useEffect(() => {
    if (asked === undefined) tell({ kind: 'error', code: 'invalid_billing_address', message: notOne })
    if (asked === 'full' && clientSecret === null)
      tell({ kind: 'error', code: 'client_secret_required', message: needsSecret })
  }, [asked, clientSecret, tell])
  useEffect(() => {
    if (wrong !== null) document.getElementById(billingId(wrong.field))?.focus()
  }, [wrong])

  function mark(next: BillingErrors, mayFocus: boolean): void {
    setErrors(next)
    const field = billingFields.find((each) => next[each] !== undefined)
    if (field !== undefined && mayFocus) setWrong({ field })
  }

  return {
    isComplete: !isShown || checkBilling(draft).address !== null,
    shown: isShown ? { draft, errors, onChange } : null,
    /** Undefined: something is missing, and is marked. Null: nobody asks for one. */
    check(mayFocus: boolean): BillingAddress | null | undefined {
      if (!isShown) return null
      const { address, missing } = checkBilling(draft)
      mark(Object.fromEntries(missing.map((field) => [field, 'missing'])), mayFocus)
      return address ?? undefined
    },
    refuse(refusal: Refusal): void {
      const field = refusedBilling(refusal)
      if (field === null) return
      mark({ [field]: draft[field].trim() === '' ? 'missing' : { refusal: refusal.message } }, true)
    },
    clear: () => setDraft(emptyDraft),
  }

  function onChange(field: BillingField, text: string): void {
    setErrors(({ [field]: _, ...others }) => others)
    setDraft((before) => ({ ...before, [field]: text }))
  }
}

/** The field that an address was refused for. */
export function refusedBilling({ code, param }: Refusal): BillingField | null {
  return code === 'invalid_request' ? (billingFields.find((field) => field === param) ?? null) : null
}

export function billingId(field: BillingField): string {
  return `billing-${field}`
}

const notOne = 'The option `billingAddress` is never or full.'
const needsSecret =
  'A billing address becomes an address of the profile: the option `billingAddress` needs a clientSecret. The form is shown without it.'
