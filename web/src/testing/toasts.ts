/** The messages of the toasts that a test has caused; `setup.ts` connects and empties it before each test. */
export const toasts: string[] = []
