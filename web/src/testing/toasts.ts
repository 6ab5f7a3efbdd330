/** Messages of toasts in this test; `setup.ts` connects and empties it before each test. */
export const toasts: string[] = []
