/** What the bank asks covers the whole page, and is unreadable in one that is as low as the fields. */
const askedHeight = 640

/** Says how high the page wants to be: as its fields are, and higher while something covers them. */
export function watchHeight(root: HTMLElement, say: (height: number) => void): void {
  let said = -1
  function look(): void {
    const fields = Math.ceil(root.getBoundingClientRect().height)
    const height = isCovered(root) ? Math.max(fields, askedHeight) : fields
    if (height !== said) say(height)
    said = height
  }
  new ResizeObserver(look).observe(root)
  new MutationObserver(look).observe(document.body, { childList: true, attributes: true, subtree: true })
}

/** The processor puts what the bank asks beside the fields, as high as the window. */
function isCovered(root: HTMLElement): boolean {
  return [...document.body.children].some((each) => {
    if (each === root || each.tagName === 'SCRIPT') return false
    const { position, visibility, display } = getComputedStyle(each)
    const isShown = position === 'fixed' && visibility === 'visible' && display !== 'none'
    return isShown && each.getBoundingClientRect().height >= innerHeight - 1
  })
}
