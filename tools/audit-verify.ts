// npm run audit-verify [-- <customer key>]: recomputes the hash chain of the audit trail of one customer or all. Exits with 1 for a broken
// chain.
import { runOperatorCall } from './operator.ts'

await runOperatorCall('audit-verify', { customer: process.argv[2] })
