declare global {
  interface Window {
    /** The account of this token, requested by `public/first-paint.js` before the portal was loaded. */
    firstCall?: { token: string; answer: Promise<Response> }
  }
}

/** The answer to that call, once and only for the same token. */
export const takeFirstAnswer = (token: string | null): Promise<Response> | null => {
  const asked = window.firstCall
  delete window.firstCall
  return asked && asked.token === token ? asked.answer : null
}
