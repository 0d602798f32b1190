/** The loader asks for the variant of the frame that may stand in a page that isolates itself. */
export function isIsolatedPage(): boolean {
  return new URLSearchParams(location.search).has('isolated')
}

/**
 * The frames of the processor do not say that they may stand in such a page. A frame without credentials may hold them all the same, in the
 * engines that have it: https://developer.mozilla.org/en-US/docs/Web/Security/IFrame_credentialless.
 */
export function canHoldProcessor(): boolean {
  return !isIsolatedPage() || 'credentialless' in HTMLIFrameElement.prototype
}
