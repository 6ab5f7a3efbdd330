/** In the first tier instead of `platform/security/password-cost.ts`: the least that the algorithm takes. `password.slow.test.ts` has the real one. */
export const cost = { memory: 8, passes: 1 }
