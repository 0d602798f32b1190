/** Those of the browser process and of the ones who ask it: a part of `durations`. */
export const browserDurations = {
  'browser/chromium/launch.ts startMs': { value: '30_000', local: 'the start of a Chromium' },
  'browser/chromium/launch.ts callMs': { value: '30_000', local: 'one call of its protocol' },
  'browser/door/shop-door.ts usualSilenceMs': {
    value: '10_000',
    local: 'real time between processes; browser-process.test.ts sees a silent worker dropped',
  },
  'browser/guard/guard-visit.ts firstRequestMs': {
    value: '2_000',
    local: 'a window that is about to be closed; browser-guard.test.ts sees a hundred close',
  },
  'browser/guard/visit-proxy.ts connectMs': { value: '10_000', local: 'a connection to a shop' },
  'browser/guard/renderers.ts askMs': {
    value: '1_000',
    local: 'how often a page is asked whether it is there',
  },
  'browser/guard/renderers.ts restMs': { value: '200', local: 'a rest of the processors in one second' },
  'browser/open-browser.ts waitMs': { value: '30_000', local: 'a visit that waits for a place' },
  'browser/open-browser.ts chromiumIdleMs': {
    value: '60_000',
    local: 'a Chromium without a visit; browser-process.test.ts sees one stop',
  },
  'browser/open-browser.ts sessionMs': {
    value: '120_000',
    local: 'a page that stays open in one process; browser-process.test.ts sees one close',
  },
  'browser/open-browser.ts parkedMs': {
    value: '600_000',
    local: 'a page that waits for a code in one process; the product counts codeMinutes',
  },
  'browser/open-visit.ts closeMs': { value: '5_000', local: 'a context that is being closed' },
  'models/ai-sdk-model.ts usualCallMs': {
    value: '120_000',
    local: 'one step of a model of chats; ai-sdk-model.test.ts sees one that never ends',
  },
  'models/ai-sdk-model.ts usualIdleMs': {
    value: '45_000',
    local: 'the longest silence of a model; ai-sdk-model.test.ts sees one that stays silent',
  },
  'models/model-fetch.ts retryAfterSecondsMax': {
    value: '10',
    local: 'how long a model may have a call wait; ai-sdk-model.test.ts sees one that asks for more',
  },
  'channels/browser/model-reader.ts readerMoveMs': {
    value: '15_000',
    local: 'one answer of a model; model-reader.test.ts sees one come too late',
  },
  'channels/browser/browser-port.ts healthMs': { value: '60_000', local: 'an answer of the browser process' },
  'channels/browser/shopping-wire.ts beatMs': {
    value: '5_000',
    local: 'how often a worker says that it is there',
  },
}
