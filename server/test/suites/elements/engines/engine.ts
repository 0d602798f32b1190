/** A page in some browser, with one component in it at most. Scripts are expressions; a promise is waited for. */
export type EnginePage = {
  run(script: string): Promise<unknown>
  /** In the document of the component's frame, which has to be there. */
  inFrame(script: string): Promise<unknown>
  /** By the keys of a keyboard, to what has the focus. */
  type(text: string): Promise<void>
  tab(isBack?: boolean): Promise<void>
  enter(): Promise<void>
  /** By a pointer. */
  click(selector: string): Promise<void>
  clickInFrame(selector: string): Promise<void>
  close(): Promise<void>
}

export type Engine = {
  /** As the browser says it. */
  readonly version: string
  open(url: string): Promise<EnginePage>
  close(): Promise<void>
}

export type EngineOptions = {
  /** The browser keeps as little for pages as it can be told to: Firefox neither cookies nor storage, WebKit no cookies. */
  readonly keepsLittle: boolean
}

/** What is not installed here, with the packages that have it. */
export class NotInstalled extends Error {}
