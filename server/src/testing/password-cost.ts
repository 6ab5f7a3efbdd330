/**
 * Replaces `platform/security/password-cost.ts` in the first tier with the least cost of the algorithm; `password.slow.test.ts` uses the real
 * one.
 */
export const cost = { memory: 8, passes: 1 }
