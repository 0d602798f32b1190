import type { ComponentChildren, TargetedCompositionEvent, TargetedInputEvent } from 'preact'

export type InputFacts = {
  readonly name?: string
  readonly type?: 'password'
  readonly maxLength?: number
  readonly class?: 'digits'
  readonly dir?: 'ltr'
  readonly inputMode?: 'numeric'
  readonly required?: true
  readonly autocomplete: string
  readonly autocapitalize?: 'words' | 'none'
  readonly enterKeyHint?: 'done'
  readonly placeholder?: string
  readonly onInput: (event: TargetedInputEvent<HTMLInputElement>) => void
  readonly onCompositionEnd?: (event: TargetedCompositionEvent<HTMLInputElement>) => void
  readonly onBlur?: () => void
}

type FieldProps = {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** Beside the label. */
  readonly aside?: string | undefined
  readonly error: string | null
  /** Where the error is not in the language of the form. */
  readonly errorLanguage?: string | undefined
  readonly value: string
  readonly isBusy: boolean
  readonly input: InputFacts
  readonly children?: ComponentChildren
}

type FieldFrameProps = Omit<FieldProps, 'value' | 'isBusy' | 'input' | 'children'> & {
  /** What is typed into, with the names of what says more of it. */
  readonly children: (described: Described) => ComponentChildren
}

type Described = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** A field with its label and what is wrong with it. */
export function Field({ value, isBusy, input, children, ...field }: FieldProps) {
  const { type, ...facts } = input
  // Two kinds of input, to who checks the roles that each may have.
  const typed = type === undefined ? { type: 'text' as const } : { type }
  return (
    <FieldFrame {...field}>
      {(described) => (
        <>
          <input
            {...facts}
            {...typed}
            {...described}
            class={`input ${facts.class ?? ''}`}
            value={value}
            readOnly={isBusy}
            spellcheck={false}
          />
          {children}
        </>
      )}
    </FieldFrame>
  )
}

export function FieldFrame({ id, label, hint, aside, error, errorLanguage, children }: FieldFrameProps) {
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === null ? [] : [`${id}-error`]),
  ]
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
        {aside === undefined ? null : <span class="aside"> ({aside})</span>}
      </label>
      <div class="box">
        {children({
          id,
          'aria-invalid': error !== null,
          'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        })}
      </div>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === null ? null : (
        <p class="error" id={`${id}-error`} lang={errorLanguage}>
          {error}
        </p>
      )}
    </div>
  )
}
