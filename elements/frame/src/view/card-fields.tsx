import { brandOf } from '../card/brands.ts'
import { editNumber } from '../card/card-number.ts'
import type { CardDraft, CardField } from '../card/check-card.ts'
import { digitsIn, type Edit, type Edited } from '../card/digits.ts'
import { editExpiry } from '../card/expiry.ts'
import { onEdit } from './edited-input.ts'
import { Field } from './field.tsx'
import type { FieldErrors } from './steps.ts'
import type { Words } from './words.ts'

export type CardFieldsProps = {
  readonly words: Words
  readonly draft: CardDraft
  readonly errors: FieldErrors
  readonly isBusy: boolean
  readonly onChange: (field: CardField, text: string) => void
  readonly onLeave: (field: CardField) => void
}

/** Number, expiry, code and name, in one form: a browser fills in all of them or none. */
export function CardFields({ words, draft, errors, isBusy, onChange, onLeave }: CardFieldsProps) {
  const { sentences } = words
  const brand = brandOf(digitsIn(draft.number))
  const of = (field: CardField, edit: (edit: Edit) => Edited) => ({
    id: fieldId(field),
    value: draft[field],
    error: errorText(field, errors, words),
    errorLanguage: isOfServer(errors[field]) && words.isTest ? 'en' : undefined,
    isBusy,
    handlers: {
      name: field,
      onInput: onEdit(draft[field], edit, (text) => onChange(field, text)),
      onCompositionEnd: onEdit(draft[field], edit, (text) => onChange(field, text)),
      onBlur: () => onLeave(field),
    },
  })
  const number = of('number', editNumber)
  const expiry = of('expiry', editExpiry)
  const code = of('code', editDigits(brand?.codeLength ?? 4))
  const name = of('name', asItIs)
  const digits = { class: 'digits', dir: 'ltr', inputMode: 'numeric', required: true } as const
  return (
    <>
      <Field
        {...number}
        label={sentences.number}
        input={{
          ...digits,
          ...number.handlers,
          autocomplete: 'cc-number',
          placeholder: '1234 1234 1234 1234',
        }}
      >
        {brand === null ? null : <span class="brand">{brand.title}</span>}
      </Field>
      <div class="row">
        <Field
          {...expiry}
          label={sentences.expiry}
          input={{
            ...digits,
            ...expiry.handlers,
            autocomplete: 'cc-exp',
            placeholder: sentences.expiryForm,
          }}
        />
        <Field
          {...code}
          label={sentences.code}
          hint={brand?.codeLength === 4 ? sentences.codeOnFront : sentences.codeOnBack}
          input={{ ...digits, ...code.handlers, autocomplete: 'cc-csc' }}
        />
      </div>
      <Field
        {...name}
        label={sentences.name}
        aside={sentences.optional}
        input={{ ...name.handlers, autocomplete: 'cc-name', autocapitalize: 'words', enterKeyHint: 'done' }}
      />
    </>
  )
}

export function fieldId(field: CardField): string {
  return `card-${field}`
}

type FieldError = NonNullable<FieldErrors[CardField]>

function isOfServer(error: FieldError | undefined): error is FieldError & { readonly refusal: string } {
  return error !== undefined && 'refusal' in error
}

function errorText(field: CardField, errors: FieldErrors, words: Words): string | null {
  const error = errors[field]
  if (error === undefined) return null
  if (!isOfServer(error)) return words.sentences.faults[error.fault]
  // The server speaks English.
  return words.isTest || words.language === 'en' ? error.refusal : words.sentences.refused[field]
}

export function editDigits(length: number): (edit: Edit) => Edited {
  return ({ text, caret }) => ({
    text: digitsIn(text).slice(0, length),
    caret: digitsIn(text.slice(0, caret)).length,
  })
}

function asItIs({ text, caret }: Edit): Edited {
  return { text, caret }
}
