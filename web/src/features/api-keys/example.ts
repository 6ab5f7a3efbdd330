import { findAudit } from '@gridmast/contract/audit.ts'
import { frequencyLastReported } from '@gridmast/contract/frequency.ts'
import { profile } from '@gridmast/contract/profile.ts'
import { openApi, systemStatus } from '@gridmast/contract/system.ts'

/** Calls that need no parameters, the most telling first. */
const calls = [systemStatus, frequencyLastReported, findAudit, profile]

/** A call that the key covers, ready for a shell. The key is typed in unseen, so that it stays out of the shell's history. */
export const curlOf = (origin: string, scopes: readonly string[]): string => {
  const { path } = calls.find(({ may }) => scopes.includes(may)) ?? openApi
  return `read -rs GRIDMAST_KEY\ncurl -H "Authorization: Bearer $GRIDMAST_KEY" \\\n  ${origin}/api${path}`
}
