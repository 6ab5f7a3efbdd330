declare global {
  interface Window {
    /** What `public/first-paint.js` asked before the portal was loaded: who this token is. */
    firstCall?: { token: string; answer: Promise<Response> }
  }
}

/** The answer to that call: once, and only for the token that it was asked with. */
export const takeFirstAnswer = (token: string | null): Promise<Response> | null => {
  const asked = window.firstCall
  delete window.firstCall
  return asked && asked.token === token ? asked.answer : null
}
