/** Cost of new password hashes: memory in KiB and passes (security rule S2). */
export const cost = { memory: 19_456, passes: 2 }
