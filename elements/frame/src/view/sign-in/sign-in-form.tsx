import { useEffect, useState } from 'preact/hooks'
import type { Typed, Wall } from '../../calls/sign-in.ts'
import { Field, type InputFacts } from '../field.tsx'
import type { Words } from '../words.ts'
import { type Notice, noticeText } from './steps.ts'

type SignInFormProps = {
  readonly words: Words
  readonly wall: Wall
  readonly notice: Notice | null
  readonly isBusy: boolean
  readonly onChange: (isComplete: boolean) => void
  readonly onSubmit: (typed: Typed) => void
}

/** As much as the vault takes. */
const lengthMax = 1_000
const nothing = { username: '', password: '', code: '' }
type Draft = typeof nothing
type FieldName = keyof Draft
type Facts = Pick<InputFacts, 'autocomplete' | 'type'>

const fieldsOf = { password: ['username', 'password'], code: ['code'] } as const

export function SignInForm({ words, wall, notice, isBusy, onChange, onSubmit }: SignInFormProps) {
  const { signIn, otpMissing, confirm } = words.sentences
  const [draft, setDraft] = useState<Draft>(nothing)
  const [missing, setMissing] = useState<readonly FieldName[]>([])
  const names: readonly FieldName[] = fieldsOf[wall.asks]
  const isComplete = names.every((name) => draft[name] !== '')
  useEffect(() => onChange(isComplete), [isComplete, onChange])
  // What was typed was refused, or did not arrive: the person goes on where they were.
  useEffect(() => {
    if (notice !== null && document.hasFocus()) document.getElementById(idOf(names[0]))?.focus()
  }, [notice])

  function submit(): void {
    const empty = names.filter((name) => draft[name] === '')
    setMissing(empty)
    if (empty.length > 0) return void document.getElementById(idOf(empty[0]))?.focus()
    const { username, password, code } = draft
    onSubmit(wall.asks === 'code' ? { code } : { username: username.trim(), password })
    setDraft(nothing)
  }

  function field(name: FieldName, label: string, missingText: string, facts: Facts) {
    return (
      <Field
        id={idOf(name)}
        label={label}
        error={missing.includes(name) ? missingText : null}
        value={draft[name]}
        isBusy={isBusy}
        input={{
          ...facts,
          name,
          dir: 'ltr',
          required: true,
          maxLength: lengthMax,
          autocapitalize: 'none',
          onInput: ({ currentTarget }) => {
            setMissing(missing.filter((each) => each !== name))
            setDraft({ ...draft, [name]: currentTarget.value })
          },
        }}
      />
    )
  }

  return (
    <form
      class="form"
      noValidate
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      {wall.asks === 'code' ? (
        field('code', signIn.code, otpMissing, { autocomplete: 'one-time-code' })
      ) : (
        <>
          {field('username', signIn.username, signIn.usernameMissing, { autocomplete: 'username' })}
          {field('password', signIn.password, signIn.passwordMissing, {
            autocomplete: 'current-password',
            type: 'password',
          })}
        </>
      )}
      {notice === null ? null : <SignInNotice notice={notice} wall={wall} words={words} />}
      <button class="button" type="submit" aria-disabled={isBusy}>
        {isBusy ? <span class="spinner" aria-hidden="true" /> : null}
        {isBusy ? signIn.sending : wall.asks === 'code' ? confirm : signIn.submit}
      </button>
      <p class="hint">{signIn.kept}</p>
      <p class="heard" role="status">
        {isBusy ? signIn.sending : ''}
      </p>
    </form>
  )
}

function SignInNotice({ notice, wall, words }: Pick<SignInFormProps, 'wall' | 'words'> & { notice: Notice }) {
  const { message } = notice
  return (
    <div class="notice" role="alert">
      <p>{noticeText(notice, wall, words.sentences.signIn)}</p>
      {words.isTest && message !== undefined ? <p lang="en">{message}</p> : null}
    </div>
  )
}

function idOf(name: FieldName | undefined): string {
  return `sign-in-${name}`
}
