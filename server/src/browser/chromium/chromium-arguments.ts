type ChromiumArguments = {
  readonly profile: string
  readonly proxyUrl: string
  /** Whose key is believed beside the usual authorities, as the SHA-256 of its public key in base64. */
  readonly keyPin: string | null
  readonly isSandboxed: boolean
  readonly isHeaded: boolean
  /** Otherwise its processes share files of its profile: more work for the kernel, and pictures of pages that reach the disk. */
  readonly sharesMemory: boolean
}

/** What Chromium would do by itself on the network, or offer to pages that nobody needs to buy something. */
const featuresOff = [
  'AcceptCHFrame',
  'AsyncDns',
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'Prerender2',
  'PrivacySandboxSettings4',
  'Translate',
  'WebRtcHideLocalIpsWithMdns',
]

/** Our own list: the package's turns off what protects us. */
export function chromiumArguments(given: ChromiumArguments): string[] {
  return [
    ...(given.isHeaded ? [] : ['--headless']),
    ...(given.isSandboxed ? [] : ['--no-sandbox']),
    '--remote-debugging-pipe',
    `--user-data-dir=${given.profile}`,
    // Everything goes through the proxy, also what a page asks of this machine, and no name is looked up before.
    `--proxy-server=${given.proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ...(given.keyPin === null ? [] : [`--ignore-certificate-errors-spki-list=${given.keyPin}`]),
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--site-per-process',
    `--disable-features=${featuresOff.join(',')}`,
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-update',
    '--disable-default-apps',
    ...(given.sharesMemory ? [] : ['--disable-dev-shm-usage']),
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-file-system',
    '--disable-gpu',
    '--disable-notifications',
    '--disable-remote-fonts',
    '--disable-speech-api',
    '--disable-sync',
    '--disable-vulkan-surface',
    '--disable-webgl',
    '--disk-cache-size=1',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    '--window-size=1280,1600',
    'about:blank',
  ]
}
