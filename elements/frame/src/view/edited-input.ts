import type { TargetedCompositionEvent, TargetedInputEvent } from 'preact'
import type { Edit, Edited } from '../card/digits.ts'

type Typed = TargetedInputEvent<HTMLInputElement> | TargetedCompositionEvent<HTMLInputElement>

/** Puts an edit into its form, with the caret where the person left it, and tells the text. */
export function onEdit(before: string, edit: (edit: Edit) => Edited, tell: (text: string) => void) {
  return (event: Typed): void => {
    const { currentTarget: input } = event
    // An input method is still choosing: what it shows is not typed yet.
    const text = input.value
    if ('isComposing' in event && event.isComposing) {
      tell(text)
      return
    }
    const caret = input.selectionStart ?? text.length
    // What a browser fills in says no type, and the end of a composition has none.
    const isDeletion = 'inputType' in event && event.inputType?.startsWith('delete') === true
    const edited = edit({ text, caret, before, isDeletion })
    if (edited.text !== text) input.value = edited.text
    // Only the field that has the caret: to set it elsewhere would take the focus in some browsers.
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret)
    tell(edited.text)
  }
}
