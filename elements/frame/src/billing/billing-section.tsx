import { useMemo } from 'preact/hooks'
import { Field, FieldFrame } from '../view/field.tsx'
import type { Words } from '../view/words.ts'
import type { BillingDraft, BillingField } from './billing-address.ts'
import { countriesIn } from './countries.ts'
import { type BillingErrors, billingId } from './use-billing.ts'

export type BillingProps = {
  readonly draft: BillingDraft
  readonly errors: BillingErrors
  readonly onChange: (field: BillingField, text: string) => void
}

/** In the form of the card: a browser fills in both at once. */
export function BillingSection({
  words,
  isBusy,
  draft,
  errors,
  onChange,
}: BillingProps & { readonly words: Words; readonly isBusy: boolean }) {
  const { billing, optional } = words.sentences
  const countries = useMemo(() => countriesIn(words.language), [words.language])
  const of = (field: BillingField, autocomplete: string) => ({
    id: billingId(field),
    label: billing[field],
    value: draft[field],
    error: errorText(field, errors, words),
    isBusy,
    input: {
      name: field,
      autocomplete: `billing ${autocomplete}`,
      onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        onChange(field, currentTarget.value),
    },
  })
  const { input, ...country } = of('country', 'country')
  return (
    <fieldset class="section">
      <legend class="label">{billing.title}</legend>
      <FieldFrame {...country}>
        {(described) => (
          <select
            {...described}
            class="input"
            name={input.name}
            autocomplete={input.autocomplete}
            value={draft.country}
            disabled={isBusy}
            required
            onChange={({ currentTarget }) => onChange('country', currentTarget.value)}
          >
            <option value="" />
            {countries.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
      <Field {...of('line1', 'address-line1')} />
      <Field {...of('line2', 'address-line2')} aside={optional} />
      <div class="row">
        <Field {...of('postal_code', 'postal-code')} />
        <Field {...of('city', 'address-level2')} />
      </div>
      <Field {...of('state', 'address-level1')} aside={optional} />
    </fieldset>
  )
}

function errorText(field: BillingField, errors: BillingErrors, { isTest, language, sentences }: Words) {
  const error = errors[field]
  if (error === undefined) return null
  if (error === 'missing') return sentences.billing.missing[field]
  // The server speaks English.
  return isTest || language === 'en' ? error.refusal : sentences.billing.refused
}
