/** What React, a library or an answer outside the contract complains of: `setup.ts` fails a test that has one. */
export const complaints: string[] = []
