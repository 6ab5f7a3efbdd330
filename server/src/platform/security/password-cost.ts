/** Of a new password's hash: memory in KiB, and passes over it (security rule S2). */
export const cost = { memory: 19_456, passes: 2 }
